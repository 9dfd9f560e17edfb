import type { ContactDialog } from './contact-dialog.ts'
import { createContactForm } from './contact-form.ts'
import type { DomainToAscii } from './email.ts'
import { createNotificationCenter } from './notifications.ts'
import type { Backend, Timers } from './ports.ts'
import { createSubscribeForm } from './subscribe-form.ts'
import type { Link } from './texts.ts'

/** What the page needs from outside. The browser, the build and each test give their own. */
export type Ports = {
  readonly backend: Backend
  readonly contactDialog: ContactDialog
  readonly domainToAscii: DomainToAscii
  readonly links: readonly Link[]
  readonly timers: Timers
}

export type Services = ReturnType<typeof createServices>

/**
 * Creates what the page does for a visitor. The components show its state and call its functions. There is one contact
 * form. A page may have several forms to subscribe, so each component creates its own by `newSubscribeForm`.
 */
export function createServices({ backend, contactDialog, domainToAscii, links, timers }: Ports) {
  const notifications = createNotificationCenter(timers, contactDialog)
  return {
    contactDialog,
    notifications,
    newSubscribeForm: () => createSubscribeForm(backend, domainToAscii, notifications),
    contactForm: createContactForm(backend, domainToAscii, contactDialog, notifications),
    links,
    timers,
  }
}
