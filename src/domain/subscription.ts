import { mendEmail } from './email.ts'
import { fieldError } from './enquiry.ts'
import { DEFAULT_LIFE_MS, type Notification } from './notification.ts'
import type { Backend, DomainToAscii, SubscribeAnswer } from './ports.ts'
import { NOTIFICATION_TEXT } from './texts.ts'

export type SubscriptionOutcome = SubscribeAnswer | 'invalid-email'

/** The notification for each outcome; null shows none. docs/behaviour.md, 'Subscribing'. */
export const NOTIFICATIONS = {
  subscribed: { severity: 'success', ...NOTIFICATION_TEXT.subscribed, life: DEFAULT_LIFE_MS, closable: false },
  'already-subscribed': { severity: 'info', ...NOTIFICATION_TEXT.alreadySubscribed, life: 'sticky', closable: true },
  declined: null,
  failed: { severity: 'error', ...NOTIFICATION_TEXT.failed, life: 'sticky', closable: true },
  'invalid-email': { severity: 'error', ...NOTIFICATION_TEXT.invalidEmail, life: DEFAULT_LIFE_MS, closable: true },
} satisfies Record<SubscriptionOutcome, Notification | null>

/** Whether the input is cleared: only if the backend has the address. */
export const CLEARS_INPUT: Record<SubscriptionOutcome, boolean> = {
  subscribed: true,
  'already-subscribed': true,
  declined: false,
  failed: false,
  'invalid-email': false,
}

/** An outcome, and the sentence that stands at the form until the field is edited; null if there is no sentence. */
export type Subscription = { readonly outcome: SubscriptionOutcome; readonly sentence: string | null }

/** Sends the typed address, if it is a valid one. Calls `begin` right before. */
export async function subscribe(
  backend: Pick<Backend, 'subscribe'>,
  typed: string,
  domainToAscii: DomainToAscii,
  begin: () => void = () => {},
): Promise<Subscription> {
  const email = mendEmail(typed, domainToAscii)
  const error = fieldError('email', email)
  if (error !== null) return { outcome: 'invalid-email', sentence: error }
  begin()
  const outcome = await backend.subscribe(email)
  return { outcome, sentence: NOTIFICATIONS[outcome]?.detail ?? null }
}
