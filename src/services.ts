import { browserCookies, browserTimers, element, ignoreRepeatedPresses } from './adapters/browser.ts'
import { connectDialog } from './adapters/native-dialog.ts'
import { createContactDialog } from './domain/contact-dialog.ts'
import { createNotificationCenter } from './domain/notification.ts'

/** Where the calls go, and with what. */
export const clientOptions = { origin: location.origin, cookies: browserCookies, timers: browserTimers }

/** What lives as long as the page, whoever serves it: first the boot script, then the app. Called before the page is whole. */
export function startServices() {
  const contactDialog = createContactDialog()
  ignoreRepeatedPresses()
  addEventListener('DOMContentLoaded', () =>
    connectDialog(element('contact-dialog', HTMLDialogElement), element('notifications', HTMLElement), contactDialog),
  )
  return { contactDialog, notifications: createNotificationCenter(browserTimers) }
}
