import { setTimeout } from 'node:timers/promises'
import { type Database, type StoredEnquiry, tryUntil } from '../storage/database.ts'
import { RETRY_MS } from '../timeouts.ts'
import { claimDue, MAX_PAUSE_MS, recordFailure, recordSent } from './due.ts'
import { mailAbout } from './mails.ts'
import type { Delivery, Send } from './smtp.ts'

/** The most mails that a server sends at the same time; the next follow when all of them have ended. */
const BATCH = 8

/** How often the mailer looks for mails that are due. */
const POLL_MS = 1000

/** Is called with the result of every attempt; `isFinal`: there will be no other attempt. */
export type OnAttempt = (delivery: Delivery, isFinal: boolean) => void

export type Mailer = ReturnType<typeof startMailer>

/**
 * Sends a mail about each enquiry, at least once. Any number of servers share the work: a mail is claimed by one of
 * them, and the claim of a server that was killed or hangs ends by itself. No visitor waits for this.
 */
export function startMailer(database: Database, send: Send, firstPauseMs: number, onAttempt: OnAttempt) {
  const stopping = new AbortController()
  let inFlight = 0

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
    inFlight += 1
    const delivery = await send(mailAbout(enquiry))
    const pauseMs = pauseAfter(enquiry.mail_attempts)
    onAttempt(delivery, delivery.delivered || pauseMs === null)
    await tryUntil(performance.now() + RETRY_MS, () =>
      database.run((db) =>
        delivery.delivered ? recordSent(db, enquiry) : recordFailure(db, enquiry, pauseMs, delivery.code),
      ),
    ).catch(() => {})
    inFlight -= 1
  }

  /** The pause until the next attempt, which doubles with each failure; null if there is no other attempt. */
  function pauseAfter(attempts: number): number | null {
    const pauseMs = firstPauseMs * 2 ** (attempts - 1)
    if (pauseMs > MAX_PAUSE_MS) return null
    // It is partly random, so that mails that failed together are not retried together.
    return Math.min(pauseMs * (0.75 + Math.random() / 2), MAX_PAUSE_MS)
  }

  const loop = sendAll()
  return {
    /** How many mails are being sent, or wait for their attempt to be recorded. */
    inFlight: () => inFlight,
    /** Begins no attempt, and waits for those in flight. An unfinished one is repeated after its claim. */
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
