import { expect, it, vi } from 'vitest'
import type { Notification } from '../../src/domain/notification.ts'
import type { SubscribeAnswer } from '../../src/domain/ports.ts'
import { CLEARS_INPUT, NOTIFICATIONS, type SubscriptionOutcome, subscribe } from '../../src/domain/subscription.ts'

const backendThatSays = (answer: SubscribeAnswer) => ({ subscribe: vi.fn(async (_email: string) => answer) })

it.each<SubscribeAnswer>(['subscribed', 'already-subscribed', 'declined', 'failed'])(
  'subscribing sends the address trimmed, its case kept, and ends in what the backend says: %s',
  async (answer) => {
    const backend = backendThatSays(answer)
    expect(await subscribe(backend, ' \tVisitor@Example.com\n')).toBe(answer)
    expect(backend.subscribe.mock.calls).toEqual([['Visitor@Example.com']])
  },
)

it.each(['', '   ', 'plain'])('subscribing sends nothing of %j', async (typed) => {
  const backend = backendThatSays('subscribed')
  expect(await subscribe(backend, typed)).toBe('invalid-email')
  expect(backend.subscribe).not.toHaveBeenCalled()
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
