import type { FastifyBaseLogger } from 'fastify'
import { pino, stdTimeFunctions } from 'pino'
import { mailAdvice } from './mail/advice.ts'
import type { OnAttempt } from './mail/send-due-mails.ts'
import type { OnCommit } from './storage/commit-queue.ts'
import { databaseAdvice } from './storage/database-errors.ts'

/** What the log shows of an error. Its message is left out, because it may contain data of a visitor. */
const errorWithoutMessage = (error: Error & { code?: string }) => ({
  type: error.name,
  message: error.code ?? '',
  stack: (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n'),
})

/**
 * The log of the process: one JSON object in each line, with the level as a word and the time in ISO 8601. Calls are not
 * logged, because lines that nobody reads from standard output pile up in memory.
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

/** A fault counts as over after this time without a failure. One success is not enough: other calls may still fail. */
const SETTLED_MS = 5000

/** Logs each cause of a fault at most once a minute, and `lineAtEnd` once when the fault is over. */
function logFaults(log: FastifyBaseLogger, lineAtEnd: string) {
  const loggedAt = new Map<string, number>()
  let isFaulty = false
  let failedAt = 0
  return {
    failed(level: 'warn' | 'error', line: string) {
      failedAt = performance.now()
      if (failedAt - (loggedAt.get(line) ?? Number.NEGATIVE_INFINITY) < 60_000) return
      loggedAt.set(line, failedAt)
      log[level](line)
      isFaulty = true
    },
    worked() {
      if (!isFaulty || performance.now() - failedAt < SETTLED_MS) return
      log.info(lineAtEnd)
      isFaulty = false
    },
  }
}

/** Logs why calls can't be stored, and when they are stored again. */
export function logCommits(log: FastifyBaseLogger): OnCommit {
  const faults = logFaults(log, 'the database is back: calls are stored again')
  return (error) => {
    if (error === null) return faults.worked()
    const advice = databaseAdvice(error)
    faults.failed('error', `database unavailable; calls are answered 503 until it is back. ${advice}`)
  }
}

/** Logs why mails about enquiries can't be delivered, and when they are delivered again. */
export function logMails(log: FastifyBaseLogger): OnAttempt {
  const faults = logFaults(log, 'the mail server is back: mails reach all of NOTIFY_TO again')
  return ({ delivered, code, rejected }) => {
    if (!delivered) faults.failed('warn', `mails fail (${code}); "leads outbox" lists them. ${mailAdvice(code)}`)
    else if (rejected)
      faults.failed('warn', `mails do not reach all recipients (${rejected} in NOTIFY_TO); they are not sent again`)
    else faults.worked()
  }
}
