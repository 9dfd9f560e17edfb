import { Flex, Heading } from '@chakra-ui/react'
import { Component, type ReactNode } from 'react'
import { TEXT } from '../../domain/texts.ts'
import { ReloadLink } from '../links.tsx'

/** If a component throws an error while it renders, shows the heading and a link that loads the page again. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <Flex
        direction="column"
        minH="100vh"
        align="center"
        justify="center"
        gap="5"
        p="5"
        textAlign="center"
        color="fg"
        bg="bg"
      >
        <Heading as="h1" size="2xl">
          {TEXT.heading}
        </Heading>
        <p role="alert">{TEXT.fault}</p>
        <ReloadLink />
      </Flex>
    )
  }
}
