import { describe, expect, it } from 'vitest'
import type { Backend, SubscribeAnswer } from '../../src/domain/ports.ts'
import { CLEARS_INPUT, NOTIFICATIONS, type SubscriptionOutcome, subscribe } from '../../src/domain/subscription.ts'

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
      summary: 'Thank you!',
      detail: "We'll keep you posted on upcoming features.",
      life: 3000,
      closable: false,
    },
    'already-subscribed': {
      severity: 'info',
      summary: 'Hello again!',
      detail: "You have already registered your interest. We'll keep you posted by email.",
      life: 'sticky',
      closable: true,
    },
    declined: null,
    failed: {
      severity: 'error',
      summary: 'Oops!',
      detail: 'Looks like something went wrong. Please try again!',
      life: 'sticky',
      closable: true,
    },
    'invalid-email': {
      severity: 'error',
      summary: 'Invalid email',
      detail: "Looks like you've entered an invalid email. Please enter a valid one.",
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
