import { createContext, use } from 'react'
import type { DialogState } from '../domain/contact-dialog.ts'
import type { DomainToAscii } from '../domain/email.ts'
import type { NotificationCenter } from '../domain/notification.ts'
import type { Backend, Timers } from '../domain/ports.ts'

/** The services that main.tsx passes to the page. */
export type Services = {
  readonly backend: Backend
  readonly notifications: NotificationCenter
  readonly contactDialog: DialogState
  readonly timers: Timers
  readonly domainToAscii: DomainToAscii
}

export const ServicesContext = createContext<Services | null>(null)

export function useServices(): Services {
  const services = use(ServicesContext)
  if (!services) throw new Error('Render the page inside <Providers>.')
  return services
}
