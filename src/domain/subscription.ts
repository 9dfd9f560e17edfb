import { type DomainToAscii, mendEmail } from './email.ts'
import { fieldError } from './enquiry.ts'
import { DEFAULT_LIFE_MS, type Notification, type Severity } from './notification.ts'
import type { SubscribeAnswer } from './ports.ts'
import { NOTIFICATION_TEXT } from './texts.ts'

export type SubscriptionOutcome = SubscribeAnswer | 'invalid-email'

/** The notification for each outcome; null shows none. */
export const NOTIFICATIONS = {
  subscribed: { severity: 'success', ...NOTIFICATION_TEXT.subscribed, life: DEFAULT_LIFE_MS, closable: false },
  'already-subscribed': { severity: 'info', ...NOTIFICATION_TEXT.alreadySubscribed, life: 'sticky', closable: true },
  declined: null,
  failed: { severity: 'error', ...NOTIFICATION_TEXT.failed, life: 'sticky', closable: true },
  'invalid-email': { severity: 'error', ...NOTIFICATION_TEXT.invalidEmail, life: DEFAULT_LIFE_MS, closable: true },
} satisfies Record<SubscriptionOutcome, Notification | null>

/** Whether the backend has the address: then the field is cleared, and the form names the address. */
export const isListed = (answer: SubscribeAnswer): boolean => answer === 'subscribed' || answer === 'already-subscribed'

/** The address that a visitor means, and the error for which it is not sent, as a sentence, or null. */
export function validateSubscription(typed: string, domainToAscii: DomainToAscii) {
  const email = mendEmail(typed, domainToAscii)
  return { email, error: fieldError('email', email) }
}

/** What the form shows. An error or an answer stays until the next attempt. */
export type SubscribeFormState =
  | { readonly status: 'idle' }
  | { readonly status: 'invalid'; readonly error: string }
  | { readonly status: 'sending' }
  | { readonly status: 'answered'; readonly email: string; readonly answer: SubscribeAnswer }

type Outcome = { readonly severity: Severity; readonly text: string; readonly address?: string }

/** What stands at the form after an attempt: the error or the answer, with the address if the backend has it. */
export function outcomeOf(state: SubscribeFormState): Outcome | null {
  if (state.status === 'invalid') return { severity: 'error', text: state.error }
  if (state.status !== 'answered') return null
  const notification: Notification | null = NOTIFICATIONS[state.answer]
  if (!notification) return null
  const { severity, detail } = notification
  return { severity, text: detail, ...(isListed(state.answer) && { address: state.email }) }
}
