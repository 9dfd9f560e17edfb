import type { FastifyBaseLogger } from 'fastify'
import type { OutboxEvents } from '../messages/outbox.ts'
import { describeDatabaseError } from '../storage/database-errors.ts'

/** How long after the last failure a success ends an outage: a nearly full disk takes a small row now and then. */
const QUIET_MS = 10_000

type Log = Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>

type Outage = {
  readonly since: string
  /** The lines that were logged so far. */
  readonly lines: Set<string>
  failures: number
  lastFailureMs: number
}

/** Keeps the outages by what fails: each line is logged once in an outage, and its end by `log.info`. */
function createOutages(log: Log, now = () => performance.now()) {
  const outages = new Map<string, Outage>()
  return {
    failed(what: string, line: string, write: () => void) {
      const known = outages.get(what)
      const outage = known ?? { since: new Date().toISOString(), lines: new Set(), failures: 0, lastFailureMs: 0 }
      outages.set(what, outage)
      outage.failures += 1
      outage.lastFailureMs = now()
      if (!outage.lines.has(line)) write()
      outage.lines.add(line)
    },
    succeeded(what: string, line: string) {
      const outage = outages.get(what)
      if (!outage || now() - outage.lastFailureMs < QUIET_MS) return
      outages.delete(what)
      log.info({ failures: outage.failures, since: outage.since }, line)
    },
  }
}

export type DatabaseOutages = {
  committed(): void
  /** A call was answered 503; `cause` is the error of the last commit, or null if the database gave none. */
  refused(cause: unknown): void
}

/** Logs when calls can't be stored, and when they can again. */
export function logDatabaseOutages(log: Log, now?: () => number): DatabaseOutages {
  const outages = createOutages(log, now)
  return {
    committed: () =>
      outages.succeeded('database', 'database available again; failures is how many calls were answered 503'),
    refused(cause) {
      const line = `database unavailable; calls are answered 503 until it is back. ${describeDatabaseError(cause)}`
      outages.failed('database', line, () => log.error(cause instanceof Error ? { err: cause } : {}, line))
    },
  }
}

/** Logs, for each channel, when messages can't be delivered, and when they can again. */
export function logDeliveryOutages(log: Log, now?: () => number): OutboxEvents {
  const outages = createOutages(log, now)
  return {
    attempted(channel, { delivered, code }, final) {
      if (delivered) outages.succeeded(channel, `messages by ${channel} are delivered again`)
      else if (final) {
        const line = `messages by ${channel} failed permanently (${code}); see leads outbox, then leads outbox --retry`
        outages.failed(channel, line, () => log.error(line))
      } else {
        const line = `messages by ${channel} fail (${code}); they will be retried`
        outages.failed(channel, line, () => log.warn(line))
      }
    },
  }
}
