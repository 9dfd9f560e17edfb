import { ChakraProvider, LocaleProvider } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { LANG } from '../domain/texts.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { type Services, ServicesContext } from './services-context.ts'
import { system } from './theme/system.ts'

type ProvidersProps = {
  readonly services: Services
  readonly children: ReactNode
}

/** The contexts that the page needs. */
export function Providers({ services, children }: ProvidersProps) {
  return (
    <ServicesContext value={services}>
      <ChakraProvider value={system}>
        <LocaleProvider locale={LANG}>
          <ErrorBoundary>{children}</ErrorBoundary>
        </LocaleProvider>
      </ChakraProvider>
    </ServicesContext>
  )
}
