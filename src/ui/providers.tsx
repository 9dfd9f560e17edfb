import { ChakraProvider } from '@chakra-ui/react'
import { type ReactNode, useEffect } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'
import { type Ports, PortsContext } from './ports-context.ts'
import { system } from './theme/system.ts'

type ProvidersProps = {
  readonly ports: Ports
  /** Called once, when what is inside answers events. */
  readonly onReady: () => void
  readonly children: ReactNode
}

/** What each React root of the page stands in: the page's, and that of the dialog, which is a child of the body. */
export function Providers({ ports, onReady, children }: ProvidersProps) {
  useEffect(onReady, [onReady])
  return (
    <PortsContext value={ports}>
      <ChakraProvider value={system}>
        <ErrorBoundary>{children}</ErrorBoundary>
      </ChakraProvider>
    </PortsContext>
  )
}
