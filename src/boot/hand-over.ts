import type { DialogState } from '../domain/contact-dialog.ts'
import type { NotificationCenter } from '../domain/notification.ts'
import type { SentSubscription } from '../domain/subscription.ts'

/** What the boot script leaves to the app, and how the app takes the page over. */
export type HandOver = {
  readonly contactDialog: DialogState
  readonly notifications: NotificationCenter
  /** Just before the app hydrates: takes out what the boot script put into the page. */
  prepare(): void
  /** When the app answers events: the boot script ends, and leaves the call whose outcome is still to be told. */
  take(): SentSubscription | null
  /** When the app has failed: the boot script goes on without it. */
  giveBack(): void
}

declare global {
  interface Window {
    handOver?: HandOver
  }
}
