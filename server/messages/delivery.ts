import type { Channel } from '../storage/database.ts'
import type { Message } from '../storage/outbox-rows.ts'

/**
 * Whether the receiver accepted a message, and its answer: a code or a status, never personal data. If a delivered mail
 * did not reach a recipient, `rejected` is the code for that recipient. The mail is not sent again, because the others
 * would get it twice.
 */
export type DeliveryResult = { readonly delivered: boolean; readonly code: string; readonly rejected?: string }

/** Sends a message. It never rejects, and ends in bounded time. */
export type Sender = (message: Message) => Promise<DeliveryResult>

export type Senders = ReadonlyMap<Channel, Sender>

/** The code of an error of Node, fetch or the mail library. An error's message is not used: it may repeat sent data. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.cause instanceof Error) return codeOf(error.cause)
  // The mail library replaces the code of the certificate or the connection by its own, such as ESOCKET.
  if ('originalCode' in error) return String(error.originalCode)
  if ('code' in error && typeof error.code === 'string') return error.code
  // fetch has no code for a TCP port that it refuses to call.
  return error.message === 'bad port' ? error.message : error.name
}
