import type { ContactDialog } from './contact-dialog.ts'
import { createContactForm } from './contact-form.ts'
import type { DomainToAscii } from './email.ts'
import { createNotificationCenter } from './notifications.ts'
import type { Backend, Timers } from './ports.ts'
import { createSubscribeForm } from './subscribe-form.ts'
import type { Link } from './texts.ts'

/** What the page needs from a browser, a test or the build. */
export type Ports = {
  readonly backend: Backend
  readonly contactDialog: ContactDialog
  readonly domainToAscii: DomainToAscii
  readonly links: readonly Link[]
  readonly timers: Timers
}

export type Services = ReturnType<typeof createServices>

/**
 * What the page does for a visitor. The components show its state, and call it. There is one contact form, in the dialog.
 * Each place where visitors subscribe has a form of its own, with its own status.
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
