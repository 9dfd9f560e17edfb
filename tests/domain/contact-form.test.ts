import { describe, expect, it } from 'vitest'
import { type ContactFormEvent, type ContactFormState, contactForm, IDLE } from '../../src/domain/contact-form.ts'
import type { ValidationError } from '../../src/domain/enquiry.ts'
import { VALIDATION_TEXT } from '../../src/domain/texts.ts'

const noFirst: ValidationError = { field: 'first', text: VALIDATION_TEXT.noFirst }
const noMessage: ValidationError = { field: 'message', text: VALIDATION_TEXT.noMessage }

const STATES = {
  idle: IDLE,
  'idle with an error': { status: 'idle', error: noFirst },
  submitting: { status: 'submitting' },
  submitted: { status: 'submitted', answer: 'received' },
} satisfies Record<string, ContactFormState>

const EVENTS = {
  reset: { type: 'reset' },
  'the field at fault changed': { type: 'changed', field: 'first' },
  'another field changed': { type: 'changed', field: 'last' },
  rejected: { type: 'rejected', error: noMessage },
  sent: { type: 'sent' },
  answered: { type: 'answered', answer: 'declined' },
} satisfies Record<string, ContactFormEvent>

const same = 'same'
const toldNoMessage: ContactFormState = { status: 'idle', error: noMessage }
const submitting: ContactFormState = { status: 'submitting' }
const declined: ContactFormState = { status: 'submitted', answer: 'declined' }

/** Row by row: what each event makes of each state. */
const TABLE: Record<keyof typeof STATES, Record<keyof typeof EVENTS, ContactFormState | typeof same>> = {
  idle: {
    reset: IDLE,
    'the field at fault changed': same,
    'another field changed': same,
    rejected: toldNoMessage,
    sent: submitting,
    answered: same,
  },
  'idle with an error': {
    reset: IDLE,
    'the field at fault changed': IDLE,
    'another field changed': same,
    rejected: toldNoMessage,
    sent: submitting,
    answered: same,
  },
  submitting: {
    reset: same,
    'the field at fault changed': same,
    'another field changed': same,
    rejected: same,
    sent: same,
    answered: declined,
  },
  submitted: {
    reset: IDLE,
    'the field at fault changed': same,
    'another field changed': same,
    rejected: same,
    sent: same,
    answered: same,
  },
}

const names = <Name extends string>(record: Record<Name, unknown>) => Object.keys(record) as Name[]

describe.each(names(STATES))('the contact form, %s', (state) => {
  it.each(names(EVENTS))('when %s', (event) => {
    const before = STATES[state]
    const expected = TABLE[state][event]
    const after = contactForm(before, EVENTS[event])
    if (expected === same) expect(after).toBe(before)
    else expect(after).toEqual(expected)
  })
})
