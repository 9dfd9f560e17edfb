import { describe, expect, it } from 'vitest'
import {
  type ContactFormEvent,
  type ContactFormState,
  contactForm,
  ENQUIRY_NOTIFICATIONS,
  ENQUIRY_RESULTS,
  IDLE,
} from '../../src/domain/contact-form.ts'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT } from '../../src/domain/texts.ts'

const EMPTY_FIRST = { field: 'first', text: 'Please enter first name' } as const

const REJECTED: ContactFormEvent = { type: 'rejected', error: EMPTY_FIRST, wasFocused: false }

const afterEvents = (events: readonly ContactFormEvent[], state: ContactFormState = IDLE) =>
  events.reduce(contactForm, state)

const SUBMITTING = afterEvents([{ type: 'sent' }])
const RECEIVED = afterEvents([{ type: 'sent' }, { type: 'answered', answer: 'received' }])
const FAILED = afterEvents([{ type: 'sent' }, { type: 'answered', answer: 'failed' }])

describe('an idle form', () => {
  it('shows what is wrong with what was submitted', () => {
    expect(afterEvents([REJECTED])).toEqual({ ...IDLE, error: { ...EMPTY_FIRST, count: 1, wasFocused: false } })
  })

  it('knows whether the wrong field had the focus', () => {
    expect(afterEvents([{ ...REJECTED, wasFocused: true }])).toMatchObject({ error: { wasFocused: true } })
  })

  it('counts rejections in a row', () => {
    expect(afterEvents([REJECTED, REJECTED])).toMatchObject({ error: { count: 2 } })
  })

  it('drops an error when its field changes', () => {
    expect(afterEvents([REJECTED, { type: 'changed', field: 'first' }])).toEqual(IDLE)
  })

  it('keeps an error when another field changes', () => {
    expect(afterEvents([REJECTED, { type: 'changed', field: 'last' }])).toEqual(afterEvents([REJECTED]))
  })

  it('stays the same when a field without an error changes', () => {
    expect(afterEvents([{ type: 'changed', field: 'first' }])).toBe(IDLE)
  })

  it('is submitting once it is sent', () => {
    expect(SUBMITTING).toEqual({ formKey: 0, status: 'submitting' })
  })

  it('takes no answer', () => {
    expect(afterEvents([{ type: 'answered', answer: 'received' }])).toBe(IDLE)
  })

  it('is reset to a form with its text and without an error', () => {
    expect(afterEvents([REJECTED, { type: 'reset' }])).toEqual(IDLE)
  })
})

describe('a submitting form', () => {
  it.each<ContactFormEvent>([{ type: 'sent' }, REJECTED, { type: 'reset' }, { type: 'changed', field: 'first' }])(
    'stays as it is: $type',
    (event) => {
      expect(contactForm(SUBMITTING, event)).toBe(SUBMITTING)
    },
  )

  it('keeps the answer', () => {
    expect(FAILED).toEqual({ formKey: 0, status: 'submitted', answer: 'failed' })
  })
})

describe('a submitted form', () => {
  it.each<ContactFormEvent>([
    { type: 'sent' },
    REJECTED,
    { type: 'changed', field: 'first' },
    { type: 'answered', answer: 'received' },
  ])('stays as it is: $type', (event) => {
    expect(contactForm(FAILED, event)).toBe(FAILED)
  })

  it('becomes an empty form when it opens again after a success', () => {
    expect(afterEvents([{ type: 'reset' }], RECEIVED)).toEqual({ ...IDLE, formKey: 1 })
  })

  it.each(['declined', 'failed'] as const)('keeps its text when it opens again after: %s', (answer) => {
    expect(afterEvents([{ type: 'answered', answer }, { type: 'reset' }], SUBMITTING)).toEqual(IDLE)
  })
})

it.each([
  ['received', 'success', ENQUIRY_TEXT.received],
  ['declined', 'error', ENQUIRY_TEXT.failed],
  ['failed', 'error', ENQUIRY_TEXT.failed],
] as const)('the answer %s is told as %s in the form', (answer, tone, text) => {
  expect(ENQUIRY_RESULTS[answer]).toEqual({ tone, text })
})

it('a success is told for three seconds while the dialog is closed', () => {
  expect(ENQUIRY_NOTIFICATIONS.received).toEqual({
    severity: 'success',
    ...NOTIFICATION_TEXT.subscribed,
    detail: ENQUIRY_TEXT.received,
    life: 3000,
    closable: false,
  })
})

it.each(['declined', 'failed'] as const)('an enquiry that was %s is told until it is closed', (answer) => {
  expect(ENQUIRY_NOTIFICATIONS[answer]).toEqual({
    severity: 'error',
    ...NOTIFICATION_TEXT.failed,
    detail: ENQUIRY_TEXT.notSent,
    life: 'sticky',
    closable: true,
  })
})
