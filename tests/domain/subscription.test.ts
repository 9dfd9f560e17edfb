import { expect, it, vi } from 'vitest'
import type { SubscribeAnswer } from '../../src/domain/ports.ts'
import { CLEARS_INPUT, NOTIFICATIONS, type SubscriptionOutcome, subscribe } from '../../src/domain/subscription.ts'
import { NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'

const keepDomain = (domain: string) => domain

it('the mended address is sent, after the attempt has begun', async () => {
  const steps: string[] = []
  const backend = {
    async subscribe(email: string): Promise<SubscribeAnswer> {
      steps.push(email)
      return 'subscribed'
    },
  }
  await subscribe(backend, ' \tAda <Ada@Example.com>\n', keepDomain, () => steps.push('begun'))
  expect(steps).toEqual(['begun', 'Ada@Example.com'])
})

const { subscribed, alreadySubscribed, failed, invalidEmail } = NOTIFICATION_TEXT

it.each<[SubscriptionOutcome, clearsInput: boolean, object | null]>([
  ['subscribed', true, { severity: 'success', ...subscribed, life: 3000, closable: false }],
  ['already-subscribed', true, { severity: 'info', ...alreadySubscribed, life: 'sticky', closable: true }],
  ['declined', false, null],
  ['failed', false, { severity: 'error', ...failed, life: 'sticky', closable: true }],
  ['invalid-email', false, { severity: 'error', ...invalidEmail, life: 3000, closable: true }],
])('the outcome %s has its notification, and clears the input: %s', (outcome, clearsInput, notification) => {
  expect([NOTIFICATIONS[outcome], CLEARS_INPUT[outcome]]).toEqual([notification, clearsInput])
})

it.each<[SubscribeAnswer, sentence: string | null]>([
  ['failed', failed.detail],
  ['declined', null],
])('the form shows the outcome %s by the detail of its notification', async (answer, sentence) => {
  const subscription = await subscribe({ subscribe: async () => answer }, 'ada@example.com', keepDomain)
  expect(subscription).toEqual({ outcome: answer, sentence })
})

it.each([
  ['an empty text', '\u200B', VALIDATION_TEXT.noEmail],
  ['a text that is no address', 'plain', VALIDATION_TEXT.invalidEmail],
  ['a text that is too long', `ada@${'a'.repeat(60)}.${'b.'.repeat(100)}co`, TEXT.charactersTooMany(13)],
])('%s is not sent, and the sentence says why', async (_, typed, sentence) => {
  const call = vi.fn(async (): Promise<SubscribeAnswer> => 'subscribed')
  expect(await subscribe({ subscribe: call }, typed, keepDomain)).toEqual({ outcome: 'invalid-email', sentence })
  expect(call).not.toHaveBeenCalled()
})
