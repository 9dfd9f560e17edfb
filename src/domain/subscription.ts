import { isEmail } from './email.ts'
import { DEFAULT_LIFE_MS, type Notification } from './notification.ts'
import type { Backend, SubscribeAnswer } from './ports.ts'
import { NOTIFICATION_TEXT } from './texts.ts'

export type SubscriptionOutcome = SubscribeAnswer | 'invalid-email'

/** Sends the typed address, trimmed, if it is an email address. */
export async function subscribe(backend: Pick<Backend, 'subscribe'>, typed: string): Promise<SubscriptionOutcome> {
  const email = typed.trim()
  return isEmail(email) ? backend.subscribe(email) : 'invalid-email'
}

/** What the visitor sees of each outcome; null leaves the screen as it is. docs/behaviour.md, 'Subscribing'. */
export const NOTIFICATIONS = {
  subscribed: { severity: 'success', ...NOTIFICATION_TEXT.subscribed, life: DEFAULT_LIFE_MS, closable: false },
  'already-subscribed': { severity: 'info', ...NOTIFICATION_TEXT.alreadySubscribed, life: 'sticky', closable: true },
  declined: null,
  failed: { severity: 'error', ...NOTIFICATION_TEXT.failed, life: 'sticky', closable: true },
  'invalid-email': { severity: 'error', ...NOTIFICATION_TEXT.invalidEmail, life: DEFAULT_LIFE_MS, closable: true },
} satisfies Record<SubscriptionOutcome, Notification | null>

/** Whether the input is cleared: yes, once the backend has the address. */
export const CLEARS_INPUT: Record<SubscriptionOutcome, boolean> = {
  subscribed: true,
  'already-subscribed': true,
  declined: false,
  failed: false,
  'invalid-email': false,
}
