import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ContactFormEvent, type ContactFormState, contactForm, IDLE } from '../../src/domain/contact-form.ts'
import type { Problem } from '../../src/domain/enquiry.ts'

const noFirst: Problem = { field: 'first', text: 'Please enter first name' }
const noMessage: Problem = { field: 'message', text: 'Please enter a message' }

const STATES = {
  idle: IDLE,
  'idle with a problem': { status: 'idle', problem: noFirst },
  submitting: { status: 'submitting' },
  'submitted, received': { status: 'submitted', answer: 'received' },
  'submitted, failed': { status: 'submitted', answer: 'failed' },
} satisfies Record<string, ContactFormState>

const EVENTS = {
  renewed: { type: 'renewed' },
  'the field at fault changed': { type: 'changed', field: 'first' },
  'another field changed': { type: 'changed', field: 'last' },
  refused: { type: 'refused', problem: noMessage },
  sent: { type: 'sent' },
  answered: { type: 'answered', answer: 'declined' },
} satisfies Record<string, ContactFormEvent>

const same = 'same'
const toldNoMessage: ContactFormState = { status: 'idle', problem: noMessage }
const submitting: ContactFormState = { status: 'submitting' }
const declined: ContactFormState = { status: 'submitted', answer: 'declined' }

/** Row by row: what each event makes of each state. */
const TABLE: Record<keyof typeof STATES, Record<keyof typeof EVENTS, ContactFormState | typeof same>> = {
  idle: {
    renewed: IDLE,
    'the field at fault changed': same,
    'another field changed': same,
    refused: toldNoMessage,
    sent: submitting,
    answered: same,
  },
  'idle with a problem': {
    renewed: IDLE,
    'the field at fault changed': IDLE,
    'another field changed': same,
    refused: toldNoMessage,
    sent: submitting,
    answered: same,
  },
  submitting: {
    renewed: same,
    'the field at fault changed': same,
    'another field changed': same,
    refused: same,
    sent: same,
    answered: declined,
  },
  'submitted, received': {
    renewed: IDLE,
    'the field at fault changed': same,
    'another field changed': same,
    refused: same,
    sent: same,
    answered: same,
  },
  'submitted, failed': {
    renewed: IDLE,
    'the field at fault changed': same,
    'another field changed': same,
    refused: same,
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

describe('in any run of events', () => {
  const event: fc.Arbitrary<ContactFormEvent> = fc.oneof(
    fc.constant({ type: 'renewed' } as const),
    fc.constantFrom('first', 'last', 'email', 'message').map((field) => ({ type: 'changed', field }) as const),
    fc.constantFrom(noFirst, noMessage).map((problem) => ({ type: 'refused', problem }) as const),
    fc.constant({ type: 'sent' } as const),
    fc.constantFrom('received', 'declined', 'failed').map((answer) => ({ type: 'answered', answer }) as const),
  )

  const holdsInAnyRun = (law: (before: ContactFormState, event: ContactFormEvent, after: ContactFormState) => void) =>
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let state: ContactFormState = IDLE
        for (const next of events) {
          const after = contactForm(state, next)
          law(state, next, after)
          state = after
        }
      }),
    )

  it('nothing but a new opening leads back from submitted', () => {
    holdsInAnyRun((before, { type }, after) => {
      if (before.status === 'submitted' && type !== 'renewed') expect(after).toBe(before)
    })
  })

  it('a call that is on its way ends in its answer alone', () => {
    holdsInAnyRun((before, { type }, after) => {
      if (before.status === 'submitting' && type !== 'answered') expect(after).toBe(before)
    })
  })

  it('an opening sends at most one enquiry that was not on its way before', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let state: ContactFormState = IDLE
        let sentSinceRenewal = 0
        for (const next of events) {
          const after = contactForm(state, next)
          if (next.type === 'renewed') sentSinceRenewal = 0
          if (state.status === 'idle' && after.status === 'submitting') sentSinceRenewal += 1
          expect(sentSinceRenewal).toBeLessThanOrEqual(1)
          state = after
        }
      }),
    )
  })
})
