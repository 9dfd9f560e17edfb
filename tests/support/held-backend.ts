import type { Enquiry } from '../../src/domain/enquiry-fields.ts'
import type { Backend, EnquiryAnswer, SubscribeAnswer } from '../../src/domain/ports.ts'

/** A backend whose calls wait until the test answers them, the oldest first. */
export function heldBackend() {
  const subscriptions = heldCalls<string, SubscribeAnswer>()
  const enquiries = heldCalls<Enquiry, EnquiryAnswer>()
  const backend: Backend = { subscribe: subscriptions.call, sendEnquiry: enquiries.call }
  return { backend, subscriptions, enquiries }
}

function heldCalls<Sent, Answer>() {
  const sent: Sent[] = []
  const waiting: ((answer: Answer) => void)[] = []
  function call(message: Sent): Promise<Answer> {
    sent.push(message)
    return new Promise((resolve) => waiting.push(resolve))
  }
  return { sent, call, answer: async (answer: Answer) => waiting.shift()?.(answer) }
}
