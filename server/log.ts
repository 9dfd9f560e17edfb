import type { FastifyBaseLogger } from 'fastify'
import { pino, stdTimeFunctions } from 'pino'
import { adviceFor } from './messages/advice.ts'
import type { OnAttempt } from './messages/outbox.ts'
import * as database from './storage/database-errors.ts'
import type { StoreEvents } from './storage/store.ts'

/** A success ends an outage only this long after the last failure: a nearly full disk sometimes accepts a small row. */
const QUIET_MS = 10_000

/** An error's message may hold visitor data, which never reaches a log: so it is left out. */
const errorWithoutMessage = (error: Error & { code?: string }) => ({
  type: error.name,
  message: error.code ?? '',
  stack: (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n'),
})

/**
 * The log of the process, one JSON object a line, with levels and times as people read them. It has few lines, so that
 * those that a stalled reader of standard output does not take have room in memory.
 */
export const createLog = (stream: { write(line: string): unknown } = process.stdout): FastifyBaseLogger =>
  pino(
    {
      formatters: { level: (level) => ({ level }) },
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: errorWithoutMessage },
    },
    stream,
  )

/** Logs each line of an outage once, and the end of the outage. */
function createOutage(log: Pick<FastifyBaseLogger, 'warn' | 'error' | 'info'>, endLine: string) {
  const lines = new Set<string>()
  let lastFailureMs = 0
  return {
    failed(level: 'warn' | 'error', line: string) {
      lastFailureMs = performance.now()
      if (!lines.has(line)) log[level](line)
      lines.add(line)
    },
    succeeded() {
      if (lines.size === 0 || performance.now() - lastFailureMs < QUIET_MS) return
      lines.clear()
      log.info(endLine)
    },
  }
}

/** Logs when calls can't be stored, and when they can again. A burst of calls, which has no error, is not logged. */
export function logStore(log: FastifyBaseLogger): StoreEvents {
  const outage = createOutage(log, 'database available again')
  return {
    committed: outage.succeeded,
    refused(_calls, error) {
      if (error === null) return
      const advice = database.adviceFor(error)
      outage.failed('error', `database unavailable; calls are answered 503 until it is back. ${advice}`)
    },
  }
}

/** Logs, for each channel, when messages can't be delivered, and when they can again. */
export function logDeliveries(log: FastifyBaseLogger): OnAttempt {
  const outages = {
    mail: createOutage(log, 'messages by mail are delivered again'),
    webhook: createOutage(log, 'messages by webhook are delivered again'),
  }
  return (channel, { delivered, code, rejected }, isFinal) => {
    const { failed, succeeded } = outages[channel]
    if (rejected)
      failed('warn', `messages by ${channel} do not reach all of NOTIFY_TO (${rejected}); they are not sent again`)
    else if (delivered) succeeded()
    else if (!isFinal) failed('warn', `messages by ${channel} fail (${code}) and will be retried. ${adviceFor(code)}`)
    else {
      const remedy = 'see leads outbox, then leads outbox --retry'
      failed('error', `messages by ${channel} failed permanently (${code}); ${remedy}. ${adviceFor(code)}`)
    }
  }
}
