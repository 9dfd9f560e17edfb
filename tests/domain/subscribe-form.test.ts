import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { SubscribeAnswer } from '../../src/domain/ports.ts'
import { SUBSCRIBE_TEXT, TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { heldServices } from '../support/held-services.ts'

const ADDRESS = 'ada@example.com'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The form after this text was submitted, and got an answer. */
async function submitted(typed: string, answer?: SubscribeAnswer) {
  const { services, subscriptions } = heldServices()
  const form = services.newSubscribeForm()
  form.submit(typed)
  if (answer) await subscriptions.answer(answer)
  return { form, subscriptions, shown: services.notifications.current }
}

it('an address is sent once, cleaned, however often it is submitted', async () => {
  const { form, subscriptions } = await submitted('Ada@Example.com”')
  for (const _press of [1, 2]) form.submit('Ada@Example.com”')
  expect(subscriptions.sent).toEqual(['Ada@Example.com'])
})

it.each([
  ['subscribed', 'success', 3000, false, SUBSCRIBE_TEXT.subscribed, { address: ADDRESS }],
  ['already-subscribed', 'info', 'sticky', true, SUBSCRIBE_TEXT.alreadySubscribed, { address: ADDRESS }],
  ['failed', 'error', 'sticky', true, SUBSCRIBE_TEXT.failed, {}],
] as const)('form and notification report the answer %s', async (answer, severity, life, closable, texts, name) => {
  const { form, shown } = await submitted(ADDRESS, answer)
  const outcome = { severity, life, ...texts, accepted: 'address' in name }
  expect(form.current()).toEqual({ status: 'answered', outcome, ...name })
  expect(shown()).toMatchObject({ severity, life, closable, ...texts })
})

it('neither form nor notification reports a declined address', async () => {
  const { form, shown } = await submitted(ADDRESS, 'declined')
  expect([form.current(), shown()]).toEqual([{ status: 'idle' }, null])
})

it.each([
  ['\u200B ', VALIDATION_TEXT.noEmail],
  ['plain', VALIDATION_TEXT.invalidEmail],
  ['a'.repeat(256), TEXT.charactersTooMany(2)],
])('an invalid text is not sent, and has an error: %j', async (typed, text) => {
  const { form, subscriptions, shown } = await submitted(typed)
  expect(form.current()).toEqual({ status: 'invalid', error: { field: 'email', text } })
  expect(shown()).toMatchObject({ severity: 'error', life: 3000, closable: true, ...SUBSCRIBE_TEXT.invalidEmail })
  expect(subscriptions.sent).toEqual([])
})

it.each([
  ['plain', undefined],
  [ADDRESS, 'failed'],
] as const)('a new attempt clears form and notification (typed before: %s, answer: %s)', async (typed, answer) => {
  const { form, shown } = await submitted(typed, answer)
  form.submit(ADDRESS)
  expect([form.current(), shown()]).toEqual([{ status: 'sending' }, null])
})
