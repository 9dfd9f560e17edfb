import { expect, it } from 'vitest'
import { type ContactFormEvent, type ContactFormState, contactForm } from '../../src/domain/contact-form.ts'
import type { ValidationError } from '../../src/domain/enquiry.ts'

const noFirst: ValidationError = { field: 'first', code: 'noFirst' }
const noMessage: ValidationError = { field: 'message', code: 'noMessage' }
const idle = { formKey: 7, status: 'idle', error: null } as const satisfies ContactFormState
const submitting: ContactFormState = { formKey: 7, status: 'submitting' }

const STATES: ContactFormState[] = [
  idle,
  { ...idle, error: noFirst },
  submitting,
  { formKey: 7, status: 'submitted', answer: 'declined' },
  { formKey: 7, status: 'submitted', answer: 'received' },
]

const told: ContactFormState = { ...idle, error: noMessage }
const failed: ContactFormState = { formKey: 7, status: 'submitted', answer: 'failed' }
const empty: ContactFormState = { ...idle, formKey: 8 }
const same = null

/** What each event makes of a form: idle, with an error of its first name, submitting, declined, and received. */
const TABLE: [ContactFormEvent, ...(ContactFormState | null)[]][] = [
  [{ type: 'reset' }, idle, idle, same, idle, empty],
  [{ type: 'changed', field: 'first' }, same, idle, same, same, same],
  [{ type: 'changed', field: 'last' }, same, same, same, same, same],
  [{ type: 'rejected', error: noMessage }, told, told, same, same, same],
  [{ type: 'sent' }, submitting, submitting, same, same, same],
  [{ type: 'answered', answer: 'failed' }, same, same, failed, same, same],
]

it.each(TABLE)('of the contact form, in each state, %j makes what the table says', (event, ...expected) => {
  for (const [i, state] of STATES.entries()) expect(contactForm(state, event)).toEqual(expected[i] ?? state)
})
