import { DEFAULT_LIFE_MS, type Notification } from './notifications.ts'
import type { EnquiryAnswer, SubscribeAnswer } from './ports.ts'
import { ENQUIRY_TEXT, SUBSCRIBE_TEXT } from './texts.ts'

/** What a visitor learns about an attempt: a notification, and a sentence at the form. */
export type Outcome = Notification & {
  /** The sentence at the form. If it is missing, the form shows the detail of the notification. */
  readonly formText?: string
  /** Whether the backend accepted what was sent. The form then thanks the visitor, and its fields are emptied. */
  readonly accepted: boolean
}

/** The outcomes of the form to subscribe. If an outcome is null, the visitor is told nothing. */
export const SUBSCRIBE_OUTCOMES = {
  subscribed: { severity: 'success', ...SUBSCRIBE_TEXT.subscribed, life: DEFAULT_LIFE_MS, accepted: true },
  'already-subscribed': { severity: 'info', ...SUBSCRIBE_TEXT.alreadySubscribed, life: 'sticky', accepted: true },
  declined: null,
  failed: { severity: 'error', ...SUBSCRIBE_TEXT.failed, life: 'sticky', accepted: false },
  'invalid-email': { severity: 'error', ...SUBSCRIBE_TEXT.invalidEmail, life: DEFAULT_LIFE_MS, accepted: false },
} satisfies Record<SubscribeAnswer | 'invalid-email', Outcome | null>

const NOT_RECEIVED: Outcome = { severity: 'error', ...ENQUIRY_TEXT.failed, life: 'sticky', accepted: false }

/** The outcomes of the contact form. The notification is shown only while the dialog is closed. */
export const ENQUIRY_OUTCOMES: Record<EnquiryAnswer, Outcome> = {
  received: { severity: 'success', ...ENQUIRY_TEXT.received, life: DEFAULT_LIFE_MS, accepted: true },
  declined: NOT_RECEIVED,
  failed: NOT_RECEIVED,
}
