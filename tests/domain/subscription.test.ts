import { describe, expect, it } from 'vitest'
import type { Backend, SubscribeAnswer } from '../../src/domain/ports.ts'
import { CLEARS_INPUT, NOTIFICATIONS, type SubscriptionOutcome, subscribe } from '../../src/domain/subscription.ts'
import { NOTIFICATION_TEXT } from '../../src/domain/texts.ts'

function backendThatSays(answer: SubscribeAnswer) {
  const sent: string[] = []
  const backend: Backend = {
    async subscribe(email) {
      sent.push(email)
      return answer
    },
    sendEnquiry: () => Promise.reject(new Error('no enquiry is expected')),
  }
  return { backend, sent }
}

describe('subscribing', () => {
  it.each<SubscribeAnswer>(['subscribed', 'already-subscribed', 'declined', 'failed'])(
    'ends in what the backend says: %s',
    async (answer) => {
      const { backend, sent } = backendThatSays(answer)
      expect(await subscribe(backend, 'visitor@example.com')).toBe(answer)
      expect(sent).toEqual(['visitor@example.com'])
    },
  )

  it('sends the address trimmed, its case kept', async () => {
    const { backend, sent } = backendThatSays('subscribed')
    await subscribe(backend, ' \tVisitor@Example.com\n')
    expect(sent).toEqual(['Visitor@Example.com'])
  })

  it.each(['', '   ', 'plain', 'a@b', 'a b@c.de'])('sends nothing of %j', async (typed) => {
    const { backend, sent } = backendThatSays('subscribed')
    expect(await subscribe(backend, typed)).toBe('invalid-email')
    expect(sent).toEqual([])
  })
})

it('every outcome of subscribing has its notification', () => {
  expect(NOTIFICATIONS).toEqual({
    subscribed: {
      severity: 'success',
      ...NOTIFICATION_TEXT.subscribed,
      life: 3000,
      closable: false,
    },
    'already-subscribed': {
      severity: 'info',
      ...NOTIFICATION_TEXT.alreadySubscribed,
      life: 'sticky',
      closable: true,
    },
    declined: null,
    failed: {
      severity: 'error',
      ...NOTIFICATION_TEXT.failed,
      life: 'sticky',
      closable: true,
    },
    'invalid-email': {
      severity: 'error',
      ...NOTIFICATION_TEXT.invalidEmail,
      life: 3000,
      closable: true,
    },
  })
})

it.each<[SubscriptionOutcome, boolean]>([
  ['subscribed', true],
  ['already-subscribed', true],
  ['declined', false],
  ['failed', false],
  ['invalid-email', false],
])('the input is cleared after %s: %s', (outcome, cleared) => {
  expect(CLEARS_INPUT[outcome]).toBe(cleared)
})
