import { expect, it, vi } from 'vitest'
import type { Notification } from '../../src/domain/notification.ts'
import type { SubscribeAnswer } from '../../src/domain/ports.ts'
import { CLEARS_INPUT, NOTIFICATIONS, type SubscriptionOutcome, subscribe } from '../../src/domain/subscription.ts'

it.each<[typed: string, sent: string[], SubscriptionOutcome]>([
  [' \tVisitor@Example.com\n', ['Visitor@Example.com'], 'already-subscribed'],
  ['   ', [], 'invalid-email'],
  ['plain', [], 'invalid-email'],
])('subscribing with %j sends %j, and ends in %s', async (typed, sent, outcome) => {
  const call = vi.fn(async (_email: string): Promise<SubscribeAnswer> => 'already-subscribed')
  expect(await subscribe({ subscribe: call }, typed)).toBe(outcome)
  expect(call.mock.calls.flat()).toEqual(sent)
})

it('every outcome of subscribing has its notification, and clears the input of an address that the backend has', () => {
  const shown = Object.entries<Notification | null>(NOTIFICATIONS).map(([outcome, shown]) => [
    outcome,
    [shown?.severity, shown?.life, shown?.closable, CLEARS_INPUT[outcome as SubscriptionOutcome]],
  ])
  expect(Object.fromEntries(shown)).toEqual({
    subscribed: ['success', 3000, false, true],
    'already-subscribed': ['info', 'sticky', true, true],
    declined: [undefined, undefined, undefined, false],
    failed: ['error', 'sticky', true, false],
    'invalid-email': ['error', 3000, true, false],
  })
})
