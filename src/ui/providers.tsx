import { ChakraProvider } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'
import { type Ports, PortsContext } from './ports-context.ts'
import { system } from './theme/system.ts'

type ProvidersProps = {
  readonly ports: Ports
  readonly children: ReactNode
}

/** What each React root of the page stands in: the page's, and that of the dialog, which is a child of the body. */
export function Providers({ ports, children }: ProvidersProps) {
  return (
    <PortsContext value={ports}>
      <ChakraProvider value={system}>
        <ErrorBoundary>{children}</ErrorBoundary>
      </ChakraProvider>
    </PortsContext>
  )
}
