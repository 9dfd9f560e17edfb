import type { components } from '../contract.d.ts'
import type { SubscribeAnswer } from '../domain/ports.ts'

/** What a backend says it answers, which it may not keep. */
export type Unchecked<Answer> = Partial<Answer> | null | undefined

/** For each of the two calls, from the press to the end of the answer. */
export const CALL_TIMEOUT_MS = 10_000

/** Reads the body of an answer; 'failed' if it is not the contract's. */
export function readSubscription(data: Unchecked<components['schemas']['SubscriptionAnswer']>): SubscribeAnswer {
  const exists = data?.email_exists
  if (data?.success === true && typeof exists === 'boolean') return exists ? 'already-subscribed' : 'subscribed'
  if (data?.success === false && (exists === undefined || typeof exists === 'boolean')) return 'declined'
  return 'failed'
}
