import { ChakraProvider } from '@chakra-ui/react'
import { createContext, type ReactNode, use } from 'react'
import type { ContactDialog } from '../domain/contact-dialog.ts'
import type { DomainToAscii } from '../domain/email.ts'
import type { NotificationCenter } from '../domain/notification.ts'
import type { Backend, Timers } from '../domain/ports.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { system } from './theme/system.ts'

/** What the page needs from outside: the ports, and the two objects that know what is open. */
export type Services = {
  readonly backend: Backend
  readonly notifications: NotificationCenter
  readonly contactDialog: ContactDialog
  readonly domainToAscii: DomainToAscii
  readonly timers: Timers
}

const ServicesContext = createContext<Services | null>(null)

export function useServices(): Services {
  const services = use(ServicesContext)
  if (!services) throw new Error('Render the page inside <Providers>.')
  return services
}

/** The contexts that the page needs. */
export function Providers({ services, children }: { readonly services: Services; readonly children: ReactNode }) {
  return (
    <ServicesContext value={services}>
      <ChakraProvider value={system}>
        <ErrorBoundary>{children}</ErrorBoundary>
      </ChakraProvider>
    </ServicesContext>
  )
}
