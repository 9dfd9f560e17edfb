import { setTimeout } from 'node:timers/promises'
import { type Database, type StoredEnquiry, tryUntil } from '../storage/database.ts'
import { RETRY_MS } from '../timeouts.ts'
import { claimDue, MAX_PAUSE_MS, recordFailure, recordSent } from './mail-queue.ts'
import { mailAbout } from './mails.ts'
import type { Delivery, Send } from './smtp.ts'

/** The most mails that a server sends at the same time; the next follow when all of them have ended. */
const BATCH = 8

/** How often the mailer looks for mails that are due. */
const POLL_MS = 1000

/** The pause after the first failure. */
const FIRST_PAUSE_MS = 30_000

/** Is called with the result of every attempt. */
export type OnAttempt = (delivery: Delivery) => void

/**
 * Sends a mail about each enquiry, at least once. Any number of servers share the work: a mail is claimed by one of
 * them, and the claim of a server that was killed or hangs ends by itself. No visitor waits for this.
 */
export function startMailer(database: Database, send: Send, onAttempt: OnAttempt) {
  const stopping = new AbortController()

  async function sendAll() {
    while (!stopping.signal.aborted) {
      // While the database is unavailable, the next look tries again.
      const claimed = await database.run((db) => claimDue(db, BATCH)).catch(() => [])
      await Promise.all(claimed.map(attempt))
      if (claimed.length < BATCH) await setTimeout(POLL_MS, null, { signal: stopping.signal }).catch(() => {})
    }
  }

  /** An attempt that can't be recorded is repeated when its claim has ended. */
  async function attempt(enquiry: StoredEnquiry) {
    const delivery = await send(mailAbout(enquiry))
    onAttempt(delivery)
    // The pause doubles with each failure; if it were too long, there is no other attempt.
    const pauseMs = FIRST_PAUSE_MS * 2 ** (enquiry.mail_attempts - 1)
    const retryMs = pauseMs > MAX_PAUSE_MS ? null : pauseMs
    await tryUntil(performance.now() + RETRY_MS, () =>
      database.run((db) =>
        delivery.delivered ? recordSent(db, enquiry) : recordFailure(db, enquiry, retryMs, delivery.code),
      ),
    ).catch(() => {})
  }

  const loop = sendAll()
  return {
    /** Begins no attempt, and waits for those in flight. An unfinished one is repeated after its claim. */
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
