import { isEmail } from './email.ts'
import { DEFAULT_LIFE, type Notification } from './notification.ts'
import type { Backend, SubscribeAnswer } from './ports.ts'

export type SubscriptionOutcome = SubscribeAnswer | 'invalid-email'

/** A subscription under way; its outcome never rejects. */
export type SentSubscription = { readonly typed: string; readonly outcome: Promise<SubscriptionOutcome> }

/** Sends the typed address, trimmed, if it is one. */
export async function subscribe(backend: Pick<Backend, 'subscribe'>, typed: string): Promise<SubscriptionOutcome> {
  const email = typed.trim()
  return isEmail(email) ? backend.subscribe(email) : 'invalid-email'
}

/** What the visitor sees of each outcome; null leaves the screen as it is. docs/behaviour.md, B6 and B61. */
export const NOTIFICATIONS = {
  subscribed: {
    severity: 'success',
    summary: 'Thank you!',
    detail: "We'll keep you posted on upcoming features.",
    life: DEFAULT_LIFE,
    closable: false,
  },
  'already-subscribed': {
    severity: 'info',
    summary: 'Hello again!',
    detail: "You have already registered your interest. We'll keep you posted by email.",
    life: 'sticky',
    closable: true,
  },
  declined: null,
  failed: {
    severity: 'error',
    summary: 'Oops!',
    detail: 'Looks like something went wrong. Please try again!',
    life: 'sticky',
    closable: true,
  },
  'invalid-email': {
    severity: 'error',
    summary: 'Invalid email',
    detail: "Looks like you've entered an invalid email. Please enter a valid one.",
    life: DEFAULT_LIFE,
    closable: true,
  },
} satisfies Record<SubscriptionOutcome, Notification | null>

/** Whether the input is cleared: only an address that the backend has keeps no text. */
export const CLEARS_INPUT: Record<SubscriptionOutcome, boolean> = {
  subscribed: true,
  'already-subscribed': true,
  declined: false,
  failed: false,
  'invalid-email': false,
}
