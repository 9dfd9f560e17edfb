import { randomUUID } from 'node:crypto'
import type { ServerProcess } from '../../../scripts/server-process.ts'
import { enquiryBody, post } from './post.ts'
import type { Receiver } from './receivers.ts'

const SECRET = 'what both sides know'

/** What configures a server to tell both receivers, and to try again after a second. */
export const notificationEnv = (mail: Receiver, hook: Receiver): NodeJS.ProcessEnv => ({
  NOTIFY_SMTP_URL: mail.url,
  NOTIFY_FROM: 'leads@example.com',
  NOTIFY_TO: 'desk@example.com',
  NOTIFY_WEBHOOK_URL: hook.url,
  NOTIFY_WEBHOOK_SECRET: SECRET,
  NOTIFY_FIRST_DELAY: '1',
})

let enquiries = 0

/**
 * Sends enquiries at once, each with a message of its own; the messages of those that were acknowledged. A busy machine
 * that refuses one for now is asked again.
 */
export async function enquire(server: ServerProcess, count: number): Promise<string[]> {
  const messages = Array.from({ length: count }, () => `Message ${++enquiries}.`)
  const taken = await Promise.all(messages.map((msg) => isTaken(server, msg)))
  return messages.filter((_, i) => taken[i])
}

async function isTaken(server: ServerProcess, msg: string): Promise<boolean> {
  const key = { 'idempotency-key': randomUUID() }
  for (;;) {
    const { status } = await post(`${server.origin}/api/contact-us`, enquiryBody(msg), key)
    if (status !== 503) return status === 200
  }
}
