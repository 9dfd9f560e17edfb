import type { Channel } from '../storage/database.ts'
import type { Message } from '../storage/outbox-rows.ts'

/**
 * Whether the receiver accepted a message, and what it answered: a code or a status, never personal data. `rejected` is
 * the code for a recipient of a delivered mail who does not get it; it is not sent again, which would double it for the
 * others.
 */
export type DeliveryResult = { readonly delivered: boolean; readonly code: string; readonly rejected?: string }

/** Sends a message. It never rejects, and ends in bounded time. */
export type Sender = (message: Message) => Promise<DeliveryResult>

export type Senders = ReadonlyMap<Channel, Sender>

/** The code that Node, fetch or the mail library gives, wherever it is: an error's message may repeat what was sent. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.cause instanceof Error) return codeOf(error.cause)
  // The mail library puts a code of its own, such as ESOCKET, over that of the certificate or the connection.
  if ('originalCode' in error) return String(error.originalCode)
  if ('code' in error && typeof error.code === 'string') return error.code
  // fetch has no code for a TCP port that it refuses to call.
  return error.message === 'bad port' ? error.message : error.name
}
