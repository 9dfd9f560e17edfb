import type { FastifyBaseLogger } from 'fastify'
import type { OutboxEvents } from '../notifications/outbox.ts'
import type { Channel } from '../storage/database.ts'
import { LostDatabase } from '../storage/database.ts'
import { describeDatabaseError } from '../storage/database-errors.ts'
import { createOutageLog, type OutageLog } from './outage-log.ts'

type Log = Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>

export type DatabaseOutages = {
  committed(): void
  /** Calls were answered 503; `cause` is the error of the last commit, or null if the database gave none. */
  refused(calls: number, cause: unknown): void
}

/** Logs when calls can't be stored, and when they can again. */
export function logDatabaseOutages(log: Log, now?: () => number): DatabaseOutages {
  const outage = createOutageLog(({ count, since }) => {
    log.info({ calls: count, since }, 'database available again; calls is how many were answered 503')
  }, now)
  return {
    committed: outage.succeeded,
    refused(calls, cause) {
      // It was reported already, with what to do.
      if (cause instanceof LostDatabase) return
      const reason = describeDatabaseError(cause)
      const err = cause instanceof Error ? { err: cause } : {}
      outage.failed(reason, calls, () =>
        log.error(err, `database unavailable; calls are answered 503 until it is back. ${reason}`),
      )
    },
  }
}

/** Logs, for each channel, when notifications can't be delivered, and when they can again. */
export function logDeliveryOutages(log: Log, now?: () => number): OutboxEvents {
  const outages = new Map<Channel, OutageLog>()
  const start = (channel: Channel) => {
    const outage = createOutageLog(({ count, since }) => {
      log.info({ channel, attempts: count, since }, 'notifications delivered again; attempts is how many failed')
    }, now)
    outages.set(channel, outage)
    return outage
  }
  return {
    attempted(channel, { delivered, code }, final) {
      const outage = outages.get(channel) ?? start(channel)
      if (delivered) outage.succeeded()
      else if (final) {
        outage.failed(`final ${code}`, 1, () =>
          log.error({ channel, code }, 'notifications failed permanently; see leads outbox, then leads outbox --retry'),
        )
      } else outage.failed(code, 1, () => log.warn({ channel, code }, 'notifications fail; they will be retried'))
    },
  }
}
