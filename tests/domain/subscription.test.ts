import { expect, it, vi } from 'vitest'
import type { Notification } from '../../src/domain/notification.ts'
import type { SubscribeAnswer } from '../../src/domain/ports.ts'
import { CLEARS_INPUT, NOTIFICATIONS, type SubscriptionOutcome, subscribe } from '../../src/domain/subscription.ts'

it('an address is sent without the white space around it, and in its own letter case', async () => {
  const call = vi.fn(async (_email: string): Promise<SubscribeAnswer> => 'already-subscribed')
  expect(await subscribe({ subscribe: call }, ' \tVisitor@Example.com\n')).toBe('already-subscribed')
  expect(call.mock.calls).toEqual([['Visitor@Example.com']])
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
