import { act } from '@testing-library/react'
import type { Enquiry } from '../../../src/domain/enquiry.ts'
import type { EnquiryAnswer, SubscribeAnswer } from '../../../src/domain/ports.ts'

/** A backend whose calls are answered when the test says so. */
export function createFakeBackend() {
  const subscriptions = createFakeCall<string, SubscribeAnswer>()
  const enquiries = createFakeCall<Enquiry, EnquiryAnswer>()
  return { subscribe: subscriptions.call, sendEnquiry: enquiries.call, subscriptions, enquiries }
}

function createFakeCall<Sent, Answer>() {
  /** What was sent, oldest first. */
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
    /** Answers the oldest call that waits, and lets the page take it in. */
    async answer(answer: Answer) {
      const resolve = waiting.shift()
      if (!resolve) throw new Error('No call waits for an answer.')
      await act(async () => resolve(answer))
    },
  }
}
