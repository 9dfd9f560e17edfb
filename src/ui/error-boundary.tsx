import { Button, Heading, Stack, Text } from '@chakra-ui/react'
import { Component, type ReactNode } from 'react'
import { TEXT } from '../domain/texts.ts'

type Props = { readonly children: ReactNode }
type State = { readonly failed: boolean }

/** Keeps a fault to its children. docs/behaviour.md, 'Before the app has loaded'. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(): State {
    return { failed: true }
  }

  /** In development the overlay shows the fault, and the next change loads the page again. */
  override componentDidCatch({ message, stack }: Error) {
    import.meta.hot?.send('dev:fault', { message, stack })
    import.meta.hot?.on('vite:afterUpdate', () => location.reload())
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
      css={{ 'dialog &': { minH: 0, borderRadius: 'l3' } }}
    >
      <Heading as="h1" size="2xl">
        {TEXT.heading}
      </Heading>
      <Text role="alert">{TEXT.fault}</Text>
      <Button onClick={() => location.reload()}>{TEXT.reload}</Button>
    </Stack>
  )
}
