import { type DomainToAscii, mendEmail } from './email.ts'
import { fieldError } from './enquiry.ts'
import { DEFAULT_LIFE_MS, type Notification } from './notification.ts'
import type { SubscribeAnswer } from './ports.ts'
import { NOTIFICATION_TEXT } from './texts.ts'

export type SubscriptionOutcome = SubscribeAnswer | 'invalid-email'

/** The notification for each outcome without a value; null shows none. docs/behaviour.md, 'Subscribing'. */
export const NOTIFICATIONS = {
  subscribed: { severity: 'success', ...NOTIFICATION_TEXT.subscribed, life: DEFAULT_LIFE_MS, closable: false },
  'already-subscribed': { severity: 'info', ...NOTIFICATION_TEXT.alreadySubscribed, life: 'sticky', closable: true },
  declined: null,
  failed: { severity: 'error', ...NOTIFICATION_TEXT.failed, life: 'sticky', closable: true },
  'invalid-email': { severity: 'error', ...NOTIFICATION_TEXT.invalidEmail, life: DEFAULT_LIFE_MS, closable: true },
} satisfies Record<Extract<SubscriptionOutcome, string>, Notification | null>

/** The notification for an outcome, made here from the value of an outcome that is no name. docs/add-an-outcome.md. */
export const notificationOf = (outcome: SubscriptionOutcome): Notification | null => NOTIFICATIONS[outcome]

/** Whether the input is cleared: only if the backend has the address. */
export const clearsInput = (answer: SubscribeAnswer): boolean =>
  answer === 'subscribed' || answer === 'already-subscribed'

/** The address that a visitor means, and the error for which it is not sent, as a sentence, or null. */
export function validateSubscription(typed: string, domainToAscii: DomainToAscii) {
  const email = mendEmail(typed, domainToAscii)
  return { email, error: fieldError('email', email) }
}

/**
 * The form to subscribe. `cleared` says that its field was emptied because the backend has the address, and was not
 * changed since: until then an empty field is no error.
 */
export type SubscribeFormState =
  | { readonly status: 'idle'; readonly cleared: boolean }
  | { readonly status: 'rejected'; readonly error: string }
  | { readonly status: 'submitting'; readonly email: string }
  | { readonly status: 'answered'; readonly email: string; readonly answer: SubscribeAnswer; readonly cleared: boolean }

export type SubscribeFormEvent =
  | { readonly type: 'changed' }
  | { readonly type: 'rejected'; readonly error: string }
  /** An attempt of this form or the other one begins: what is told of an earlier attempt disappears. */
  | { readonly type: 'attempted' }
  | { readonly type: 'sent'; readonly email: string }
  /** `changed` says whether the field has another text than when it was sent. */
  | { readonly type: 'answered'; readonly answer: SubscribeAnswer; readonly changed: boolean }

export const IDLE: SubscribeFormState = { status: 'idle', cleared: false }

/** While a call is pending, only its answer changes the form. */
export function subscribeForm(state: SubscribeFormState, event: SubscribeFormEvent): SubscribeFormState {
  if (state.status === 'submitting') {
    if (event.type !== 'answered') return state
    const { answer, changed } = event
    return { status: 'answered', email: state.email, answer, cleared: clearsInput(answer) && !changed }
  }
  switch (event.type) {
    case 'changed':
      return IDLE
    case 'rejected':
      return { status: 'rejected', error: event.error }
    case 'attempted':
      return { status: 'idle', cleared: 'cleared' in state && state.cleared }
    case 'sent':
      return { status: 'submitting', email: event.email }
    case 'answered':
      return state
  }
}
