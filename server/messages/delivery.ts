import type { Channel } from '../storage/database.ts'
import type { Message } from '../storage/outbox-rows.ts'

/** Whether the receiver accepted a message, and what it answered: a code or a status, never personal data. */
export type DeliveryResult = { readonly delivered: boolean; readonly code: string }

/** Sends a message. It never rejects, and ends in bounded time. */
export type Sender = (message: Message) => Promise<DeliveryResult>

export type Senders = ReadonlyMap<Channel, Sender>

/** A failed delivery with its reason as a code alone: an error's message may repeat what was sent. */
export const failedDelivery = (error: unknown): DeliveryResult => ({ delivered: false, code: codeOf(error) })

/** The code that Node, fetch or the mail library gives, wherever it is in the error. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  // fetch has no code for a TCP port that it refuses to call.
  if (code === null && error.message === 'bad port') return error.message
  if (code === null) return error.cause === undefined ? error.name : codeOf(error.cause)
  return 'responseCode' in error && error.responseCode ? `${code} ${error.responseCode}` : code
}
