import { setTimeout } from 'node:timers/promises'
import { type Database, type StoredEnquiry, tryUntil } from '../storage/database.ts'
import { RETRY_MS } from '../timeouts.ts'
import { isRefusedPermanently } from './advice.ts'
import { claimDue, MAX_RETRY_MS, recordFailure, recordSent } from './mail-queue.ts'
import type { Delivery, Send } from './smtp.ts'
import { mailAbout } from './write-mails.ts'

/** The pause when no mail is due, and after a failure: a mail server in trouble gets at most one attempt a second. */
const PAUSE_MS = 1000

/** How long a mail waits after its first failure. Each further failure doubles this time. */
const FIRST_RETRY_MS = 30_000

export type OnAttempt = (delivery: Delivery) => void

/**
 * Sends a mail about each enquiry at least once, one mail after the other. Several servers share the work: one of them
 * claims a mail, and if that server hangs or is killed, its claim ends by itself. No visitor waits for a mail.
 */
export function startMailer(database: Database, send: Send, onAttempt: OnAttempt) {
  const stopping = new AbortController()

  async function sendAll() {
    while (!stopping.signal.aborted) {
      // While the database is unavailable, this tries again after the pause.
      const enquiry = await database.run(claimDue).catch(() => undefined)
      const isDelivered = enquiry !== undefined && (await attempt(enquiry))
      if (!isDelivered) await setTimeout(PAUSE_MS, null, { signal: stopping.signal }).catch(() => {})
    }
  }

  /** Sends one mail. If the result can't be recorded, the mail is sent again when its claim has ended. */
  async function attempt(enquiry: StoredEnquiry): Promise<boolean> {
    const delivery = await send(mailAbout(enquiry))
    onAttempt(delivery)
    const waitMs = FIRST_RETRY_MS * 2 ** (enquiry.mail_attempts - 1)
    const retryMs = isRefusedPermanently(delivery.code) || waitMs > MAX_RETRY_MS ? null : waitMs
    await tryUntil(performance.now() + RETRY_MS, () =>
      database.run((db) =>
        delivery.delivered ? recordSent(db, enquiry) : recordFailure(db, enquiry, retryMs, delivery.code),
      ),
    ).catch(() => {})
    return delivery.delivered
  }

  const loop = sendAll()
  return {
    /** Starts no further attempt, and waits until the current attempt has ended. */
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
