import { Button, Heading, Stack, Text } from '@chakra-ui/react'
import { Component, type ReactNode } from 'react'
import { TEXT } from '../domain/texts.ts'
import { RELOADS } from '../page-marks.ts'

type Props = { readonly children: ReactNode }
type State = { readonly failed: boolean }

/** Keeps a fault to its children. docs/behaviour.md, 'Before the app has loaded'. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(): State {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <ErrorFallback /> : this.props.children
  }
}

function ErrorFallback() {
  return (
    <Stack
      position="relative"
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
      <Text role="alert">{TEXT.fault}</Text>
      <Button {...RELOADS.props}>{TEXT.reload}</Button>
    </Stack>
  )
}
