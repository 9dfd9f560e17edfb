import type { EnquiryField, Problem } from './enquiry.ts'
import type { EnquiryAnswer } from './ports.ts'

export type ContactFormState =
  | { readonly status: 'idle'; readonly problem: Problem | null }
  | { readonly status: 'submitting' }
  | { readonly status: 'submitted'; readonly answer: EnquiryAnswer }

export type ContactFormEvent =
  | { readonly type: 'renewed' }
  | { readonly type: 'changed'; readonly field: EnquiryField }
  | { readonly type: 'refused'; readonly problem: Problem }
  | { readonly type: 'sent' }
  | { readonly type: 'answered'; readonly answer: EnquiryAnswer }

export const IDLE: ContactFormState = { status: 'idle', problem: null }

/** One submit per opening of the dialog: only `renewed`, when it has closed or opens, leads back from `submitted`. */
export function contactForm(state: ContactFormState, event: ContactFormEvent): ContactFormState {
  switch (event.type) {
    case 'renewed':
      return state.status === 'submitting' ? state : IDLE
    case 'changed':
      return state.status === 'idle' && state.problem?.field === event.field ? IDLE : state
    case 'refused':
      return state.status === 'idle' ? { status: 'idle', problem: event.problem } : state
    case 'sent':
      return state.status === 'idle' ? { status: 'submitting' } : state
    case 'answered':
      return state.status === 'submitting' ? { status: 'submitted', answer: event.answer } : state
  }
}
