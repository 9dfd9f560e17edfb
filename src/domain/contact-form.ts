import type { ValidationError } from './enquiry.ts'
import { DEFAULT_LIFE_MS, type Notification } from './notification.ts'
import type { EnquiryAnswer } from './ports.ts'
import { ENQUIRY_NOTIFICATION_TEXT, ENQUIRY_TEXT } from './texts.ts'

/** What the form shows. An error stays until the next attempt, an answer until the dialog is opened again. */
export type ContactFormState =
  | { readonly status: 'idle'; readonly error: ValidationError | null }
  | { readonly status: 'sending' }
  | { readonly status: 'answered'; readonly answer: EnquiryAnswer }

export const IDLE: ContactFormState = { status: 'idle', error: null }

/** What the form shows for each answer. */
export const ENQUIRY_RESULTS: Record<EnquiryAnswer, { readonly severity: 'success' | 'error'; readonly text: string }> =
  {
    received: { severity: 'success', text: ENQUIRY_TEXT.received },
    declined: { severity: 'error', text: ENQUIRY_TEXT.failed },
    failed: { severity: 'error', text: ENQUIRY_TEXT.failed },
  }

const NOT_SENT: Notification = {
  severity: 'error',
  ...ENQUIRY_NOTIFICATION_TEXT.failed,
  life: 'sticky',
  closable: true,
}

/** The notification for each answer that comes while the dialog is closed. */
export const ENQUIRY_NOTIFICATIONS: Record<EnquiryAnswer, Notification> = {
  received: { severity: 'success', ...ENQUIRY_NOTIFICATION_TEXT.received, life: DEFAULT_LIFE_MS, closable: false },
  declined: NOT_SENT,
  failed: NOT_SENT,
}
