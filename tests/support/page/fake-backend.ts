import { act } from '@testing-library/react'
import type { Enquiry } from '../../../src/domain/enquiry.ts'
import type { Backend, EnquiryAnswer, SubscribeAnswer } from '../../../src/domain/ports.ts'

/** One of the two calls, answered when the test says so. */
type FakeCall<Sent, Answer> = {
  /** What was sent, oldest first. */
  readonly sent: Sent[]
  /** Answers the oldest call that waits, and lets the page take it in. */
  answer(answer: Answer): Promise<void>
}

export type FakeBackend = Backend & {
  readonly subscriptions: FakeCall<string, SubscribeAnswer>
  readonly enquiries: FakeCall<Enquiry, EnquiryAnswer>
}

export function createFakeBackend(): FakeBackend {
  const subscriptions = createFakeCall<string, SubscribeAnswer>()
  const enquiries = createFakeCall<Enquiry, EnquiryAnswer>()
  return { subscribe: subscriptions.call, sendEnquiry: enquiries.call, subscriptions, enquiries }
}

function createFakeCall<Sent, Answer>() {
  const sent: Sent[] = []
  const waiting: ((answer: Answer) => void)[] = []
  return {
    sent,
    call(what: Sent): Promise<Answer> {
      const { promise, resolve } = Promise.withResolvers<Answer>()
      sent.push(what)
      waiting.push(resolve)
      return promise
    },
    async answer(answer: Answer) {
      const resolve = waiting.shift()
      if (!resolve) throw new Error('No call waits for an answer.')
      await act(async () => resolve(answer))
    },
  }
}
