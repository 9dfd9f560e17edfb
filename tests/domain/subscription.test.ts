import { expect, it, vi } from 'vitest'
import type { Notification } from '../../src/domain/notification.ts'
import type { SubscribeAnswer } from '../../src/domain/ports.ts'
import { CLEARS_INPUT, NOTIFICATIONS, type SubscriptionOutcome, subscribe } from '../../src/domain/subscription.ts'
import { NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'

const asItIs = (domain: string) => domain

it('an address is sent without the white space around it, and in its own letter case', async () => {
  const call = vi.fn(async (_email: string): Promise<SubscribeAnswer> => 'already-subscribed')
  const { outcome } = await subscribe({ subscribe: call }, ' \tVisitor@Example.com\n', asItIs)
  expect(outcome).toBe('already-subscribed')
  expect(call.mock.calls).toEqual([['Visitor@Example.com']])
})

it('every outcome of subscribing has its notification', () => {
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

it.each<[SubscribeAnswer, sentence: string | null]>([
  ['subscribed', NOTIFICATION_TEXT.subscribed.detail],
  ['already-subscribed', NOTIFICATION_TEXT.alreadySubscribed.detail],
  ['declined', null],
  ['failed', NOTIFICATION_TEXT.failed.detail],
])('the sentence at the form for %s is the detail of its notification', async (answer, sentence) => {
  expect(await subscribe({ subscribe: async () => answer }, 'ada@example.com', asItIs)).toEqual({
    outcome: answer,
    sentence,
  })
})

it.each([
  ['', VALIDATION_TEXT.noEmail],
  ['\u200B', VALIDATION_TEXT.noEmail],
  ['plain', VALIDATION_TEXT.invalidEmail],
  [`ada@${'a'.repeat(60)}.${'b.'.repeat(100)}co`, TEXT.charactersTooMany(13)],
])('what is no address is not sent, and the sentence says why: %j', async (typed, sentence) => {
  const call = vi.fn(async (): Promise<SubscribeAnswer> => 'subscribed')
  expect(await subscribe({ subscribe: call }, typed, asItIs)).toEqual({ outcome: 'invalid-email', sentence })
  expect(call).not.toHaveBeenCalled()
})

it('an adapter that throws has failed', async () => {
  const rejects = () => Promise.reject(new Error('no such API'))
  const throws = () => {
    throw new Error('no such API')
  }
  for (const call of [rejects, throws])
    expect(await subscribe({ subscribe: call }, 'ada@example.com', asItIs)).toMatchObject({ outcome: 'failed' })
})
