import { expect, it } from 'vitest'
import {
  type ContactFormEvent,
  type ContactFormState,
  contactForm,
  ENQUIRY_NOTIFICATIONS,
  IDLE,
} from '../../src/domain/contact-form.ts'
import type { EnquiryAnswer } from '../../src/domain/ports.ts'
import { ENQUIRY_NOTIFICATION_TEXT } from '../../src/domain/texts.ts'

const EMPTY_FIRST = { field: 'first', text: 'An error.' } as const

const REJECTED: ContactFormEvent = { type: 'rejected', error: EMPTY_FIRST, wasFocused: true }
const SENT: ContactFormEvent = { type: 'sent' }
const RESET: ContactFormEvent = { type: 'reset' }
const FIRST_CHANGED: ContactFormEvent = { type: 'changed', field: 'first' }
const LAST_CHANGED: ContactFormEvent = { type: 'changed', field: 'last' }
const answered = (answer: EnquiryAnswer): ContactFormEvent => ({ type: 'answered', answer })

const stateAfter = (...events: ContactFormEvent[]) => events.reduce(contactForm, IDLE)
const rejected = (count: number): ContactFormState => ({
  formKey: 0,
  status: 'idle',
  error: { ...EMPTY_FIRST, count, wasFocused: true },
})

it.each<[string, ContactFormEvent[], ContactFormState]>([
  ['shows an error, and whether its field had the focus', [REJECTED], rejected(1)],
  ['counts rejections in a row', [REJECTED, REJECTED], rejected(2)],
  ['drops an error when its field changes', [REJECTED, FIRST_CHANGED], IDLE],
  ['keeps an error when another field changes', [REJECTED, LAST_CHANGED], rejected(1)],
  ['is reset to a form without an error', [REJECTED, RESET], IDLE],
  ['is emptied when it opens again after a success', [SENT, answered('received'), RESET], { ...IDLE, formKey: 1 }],
])('the contact form %s', (_, events, state) => {
  expect(stateAfter(...events)).toEqual(state)
})

it.each<[string, ContactFormEvent[], ignored: ContactFormEvent[]]>([
  ['A submitting', [SENT], [SENT, REJECTED, RESET, FIRST_CHANGED]],
  ['A submitted', [SENT, answered('failed')], [SENT, REJECTED, FIRST_CHANGED, answered('received')]],
])('%s contact form ignores the events of other states', (_, events, ignored) => {
  const state = stateAfter(...events)
  for (const event of ignored) expect(contactForm(state, event), event.type).toBe(state)
})

it('an enquiry notification shows a success for 3 s, and a failure until closed', () => {
  const { received, failed } = ENQUIRY_NOTIFICATION_TEXT
  const notSent = { severity: 'error', ...failed, life: 'sticky', closable: true }
  expect(ENQUIRY_NOTIFICATIONS).toEqual({
    received: { severity: 'success', ...received, life: 3000, closable: false },
    declined: notSent,
    failed: notSent,
  })
})
