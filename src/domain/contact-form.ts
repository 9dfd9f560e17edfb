import type { EnquiryField, ValidationError } from './enquiry.ts'
import { DEFAULT_LIFE_MS, type Notification } from './notification.ts'
import type { EnquiryAnswer } from './ports.ts'
import { ENQUIRY_NOTIFICATION_TEXT, ENQUIRY_TEXT } from './texts.ts'

/** The error of a rejected submit. */
type Rejection = ValidationError & {
  /** How many submits in a row were rejected: at each the error is announced again. */
  readonly count: number
  /** Whether the field had the focus before: then no arriving focus announces the error. */
  readonly wasFocused: boolean
}

export type ContactFormState = {
  /** Identifies the form: a new key makes an empty one. */
  readonly formKey: number
} & (
  | { readonly status: 'idle'; readonly error: Rejection | null }
  | { readonly status: 'submitting' }
  | { readonly status: 'submitted'; readonly answer: EnquiryAnswer }
)

export type ContactFormEvent =
  | { readonly type: 'reset' }
  | { readonly type: 'changed'; readonly field: EnquiryField }
  | { readonly type: 'rejected'; readonly error: ValidationError; readonly wasFocused: boolean }
  | { readonly type: 'sent' }
  | { readonly type: 'answered'; readonly answer: EnquiryAnswer }

export const IDLE: ContactFormState = { formKey: 0, status: 'idle', error: null }

/**
 * One submit per opening of the dialog: only `reset`, when it opens, leads back from `submitted`. The text is kept,
 * except after a success.
 */
export function contactForm(state: ContactFormState, event: ContactFormEvent): ContactFormState {
  const { formKey } = state
  switch (event.type) {
    case 'reset': {
      // The same state renders nothing, so that the dialog opens at once.
      if (state.status === 'submitting' || (state.status === 'idle' && state.error === null)) return state
      const received = state.status === 'submitted' && state.answer === 'received'
      return { formKey: received ? formKey + 1 : formKey, status: 'idle', error: null }
    }
    case 'changed':
      return state.status === 'idle' && state.error?.field === event.field ? { ...state, error: null } : state
    case 'rejected': {
      if (state.status !== 'idle') return state
      const count = (state.error?.count ?? 0) + 1
      return { ...state, error: { ...event.error, count, wasFocused: event.wasFocused } }
    }
    case 'sent':
      return state.status === 'idle' ? { formKey, status: 'submitting' } : state
    case 'answered':
      return state.status === 'submitting' ? { formKey, status: 'submitted', answer: event.answer } : state
  }
}

/** What the form shows for each answer. docs/behaviour.md, 'The contact form'. */
export const ENQUIRY_RESULTS: Record<EnquiryAnswer, { readonly tone: 'success' | 'error'; readonly text: string }> = {
  received: { tone: 'success', text: ENQUIRY_TEXT.received },
  declined: { tone: 'error', text: ENQUIRY_TEXT.failed },
  failed: { tone: 'error', text: ENQUIRY_TEXT.failed },
}

/** The notification for each answer that comes while the dialog is closed. */
export const ENQUIRY_NOTIFICATIONS: Record<EnquiryAnswer, Notification> = {
  received: { severity: 'success', ...ENQUIRY_NOTIFICATION_TEXT.received, life: DEFAULT_LIFE_MS, closable: false },
  declined: { severity: 'error', ...ENQUIRY_NOTIFICATION_TEXT.failed, life: 'sticky', closable: true },
  failed: { severity: 'error', ...ENQUIRY_NOTIFICATION_TEXT.failed, life: 'sticky', closable: true },
}
