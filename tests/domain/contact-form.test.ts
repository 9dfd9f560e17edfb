import { expect, it } from 'vitest'
import { type ContactFormEvent, type ContactFormState, contactForm, IDLE } from '../../src/domain/contact-form.ts'
import type { ValidationError } from '../../src/domain/enquiry.ts'

const noFirst: ValidationError = { field: 'first', code: 'noFirst' }
const noMessage: ValidationError = { field: 'message', code: 'noMessage' }
const submitting: ContactFormState = { status: 'submitting' }

const STATES: ContactFormState[] = [
  IDLE,
  { status: 'idle', error: noFirst },
  submitting,
  { status: 'submitted', answer: 'received' },
]

const told: ContactFormState = { status: 'idle', error: noMessage }
const declined: ContactFormState = { status: 'submitted', answer: 'declined' }
const same = null

/** What each event makes of a form that is idle, idle with an error of its first name, submitting, and submitted. */
const TABLE: [ContactFormEvent, ...(ContactFormState | null)[]][] = [
  [{ type: 'reset' }, IDLE, IDLE, same, IDLE],
  [{ type: 'changed', field: 'first' }, same, IDLE, same, same],
  [{ type: 'changed', field: 'last' }, same, same, same, same],
  [{ type: 'rejected', error: noMessage }, told, told, same, same],
  [{ type: 'sent' }, submitting, submitting, same, same],
  [{ type: 'answered', answer: 'declined' }, same, same, declined, same],
]

it.each(TABLE)('of the contact form, in each state, %j makes what the table says', (event, ...expected) => {
  for (const [i, state] of STATES.entries()) expect(contactForm(state, event)).toEqual(expected[i] ?? state)
})
