import { expect, it } from 'vitest'
import type { SubscribeAnswer } from '../../src/domain/ports.ts'
import {
  IDLE,
  notificationOf,
  type SubscribeFormEvent,
  type SubscribeFormState,
  type SubscriptionOutcome,
  subscribeForm,
} from '../../src/domain/subscription.ts'
import { NOTIFICATION_TEXT } from '../../src/domain/texts.ts'

const { subscribed, alreadySubscribed, failed, invalidEmail } = NOTIFICATION_TEXT

it.each<[SubscriptionOutcome, object | null]>([
  ['subscribed', { severity: 'success', ...subscribed, life: 3000, closable: false }],
  ['already-subscribed', { severity: 'info', ...alreadySubscribed, life: 'sticky', closable: true }],
  ['declined', null],
  ['failed', { severity: 'error', ...failed, life: 'sticky', closable: true }],
  ['invalid-email', { severity: 'error', ...invalidEmail, life: 3000, closable: true }],
])('the outcome %s has its notification', (outcome, notification) => {
  expect(notificationOf(outcome)).toEqual(notification)
})

const email = 'ada@example.com'
const SENT: SubscribeFormEvent = { type: 'sent', email }
const CHANGED: SubscribeFormEvent = { type: 'changed' }
const ATTEMPTED: SubscribeFormEvent = { type: 'attempted' }
const REJECTED = { type: 'rejected', error: 'An error.' } as const
const answered = (answer: SubscribeAnswer): SubscribeFormEvent => ({ type: 'answered', answer, changed: false })

const stateAfter = (...events: SubscribeFormEvent[]) => events.reduce(subscribeForm, IDLE)
const told = (answer: SubscribeAnswer, cleared: boolean) => ({ status: 'answered', email, answer, cleared }) as const

it.each<[string, SubscribeFormEvent[], SubscribeFormState]>([
  ['keeps an error', [REJECTED], { status: 'rejected', error: REJECTED.error }],
  ['clears a new address', [SENT, answered('subscribed')], told('subscribed', true)],
  ['clears an address that was known', [SENT, answered('already-subscribed')], told('already-subscribed', true)],
  ['keeps the text after a failure', [SENT, answered('failed')], told('failed', false)],
  ['keeps the text if the backend declines', [SENT, answered('declined')], told('declined', false)],
  ['drops an answer at any attempt', [SENT, answered('failed'), ATTEMPTED], IDLE],
  ['stays cleared at any attempt', [SENT, answered('subscribed'), ATTEMPTED], { status: 'idle', cleared: true }],
])('the form to subscribe %s', (_, events, state) => {
  expect(stateAfter(...events)).toEqual(state)
})

it('while a call is pending, only its answer changes the form', () => {
  const state = stateAfter(SENT)
  for (const event of [SENT, CHANGED, ATTEMPTED, REJECTED]) expect(subscribeForm(state, event), event.type).toBe(state)
})
