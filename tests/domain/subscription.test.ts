import { expect, it } from 'vitest'
import type { SubscribeAnswer } from '../../src/domain/ports.ts'
import {
  IDLE,
  notificationOf,
  type SubscribeFormEvent,
  type SubscribeFormState,
  type SubscriptionOutcome,
  subscribeForm,
  validateSubscription,
} from '../../src/domain/subscription.ts'
import { NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'

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

it.each([
  ['an address is mended', ' \tAda <Ada@Example.com>\n', { email: 'Ada@Example.com', error: null }],
  ['an empty text is an error', '\u200B', { error: VALIDATION_TEXT.noEmail }],
  ['a text that is no address is an error', 'plain', { error: VALIDATION_TEXT.invalidEmail }],
  [
    'a text that is too long is an error',
    `ada@${'a'.repeat(60)}.${'b.'.repeat(100)}co`,
    { error: TEXT.charactersTooMany(13) },
  ],
])('before it is sent, %s', (_, typed, result) => {
  expect(validateSubscription(typed, (domain) => domain)).toMatchObject(result)
})

const email = 'ada@example.com'
const SENT: SubscribeFormEvent = { type: 'sent', email }
const CHANGED: SubscribeFormEvent = { type: 'changed' }
const ATTEMPTED: SubscribeFormEvent = { type: 'attempted' }
const REJECTED = { type: 'rejected', error: 'An error.' } as const
const answered = (answer: SubscribeAnswer, changed = false): SubscribeFormEvent => ({
  type: 'answered',
  answer,
  changed,
})

const stateAfter = (...events: SubscribeFormEvent[]) => events.reduce(subscribeForm, IDLE)
const told = (answer: SubscribeAnswer, cleared: boolean) => ({ status: 'answered', email, answer, cleared }) as const
const THANKED = [SENT, answered('subscribed')]

it.each<[string, SubscribeFormEvent[], SubscribeFormState]>([
  ['keeps an error', [REJECTED], { status: 'rejected', error: REJECTED.error }],
  ['drops an error when its field changes', [REJECTED, CHANGED], IDLE],
  ['is submitting once it is sent', [REJECTED, SENT], { status: 'submitting', email }],
  ['tells the answer with the address, and clears the field', THANKED, told('subscribed', true)],
  [
    'clears the field if the address was known',
    [SENT, answered('already-subscribed')],
    told('already-subscribed', true),
  ],
  ['keeps the text after a failure', [SENT, answered('failed')], told('failed', false)],
  ['keeps the text if the backend declines', [SENT, answered('declined')], told('declined', false)],
  ['keeps a text that was typed meanwhile', [SENT, answered('subscribed', true)], told('subscribed', false)],
  ['drops an answer when its field changes', [...THANKED, CHANGED], IDLE],
  ['drops an answer at any attempt', [SENT, answered('failed'), ATTEMPTED], IDLE],
  ['stays cleared at an attempt of the other form', [...THANKED, ATTEMPTED], { status: 'idle', cleared: true }],
])('the form to subscribe %s', (_, events, state) => {
  expect(stateAfter(...events)).toEqual(state)
})

it('while a call is pending, only its answer changes the form', () => {
  const state = stateAfter(SENT)
  for (const event of [SENT, CHANGED, ATTEMPTED, REJECTED]) expect(subscribeForm(state, event), event.type).toBe(state)
})

it('an answer to no call changes nothing', () => {
  expect(subscribeForm(IDLE, answered('subscribed'))).toBe(IDLE)
})
