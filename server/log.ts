import type { FastifyBaseLogger } from 'fastify'
import { pino, stdTimeFunctions } from 'pino'
import { mailAdvice } from './mail/advice.ts'
import type { OnAttempt } from './mail/mailer.ts'
import type { OnCommit } from './storage/commit-queue.ts'
import { databaseAdvice } from './storage/database-errors.ts'

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
 * The log of the process, one JSON object a line, with levels and times as people read them. No call writes a line of
 * its own: lines that nobody reads from standard output stay in memory, so they have to be few.
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

/** How long nothing may fail until a fault is over: some calls may succeed while others fail. */
const SETTLED_MS = 5000

/** Logs a fault at most once a minute for each cause while it lasts, and once that it is over. */
function logFaults(log: FastifyBaseLogger, over: string) {
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
      log.info(over)
      isFaulty = false
    },
  }
}

/** Logs why calls can't be stored, and when they can again. */
export function logCommits(log: FastifyBaseLogger): OnCommit {
  const faults = logFaults(log, 'the database is back: calls are stored again')
  return (error) => {
    if (error === null) return faults.worked()
    const advice = databaseAdvice(error)
    faults.failed('error', `database unavailable; calls are answered 503 until it is back. ${advice}`)
  }
}

/** Logs why mails about enquiries can't be delivered, and when they can again. */
export function logMails(log: FastifyBaseLogger): OnAttempt {
  const faults = logFaults(log, 'the mail server is back: mails reach all of NOTIFY_TO again')
  return ({ delivered, code, rejected }) => {
    if (!delivered) faults.failed('warn', `mails fail (${code}), as leads outbox shows. ${mailAdvice(code)}`)
    else if (rejected)
      faults.failed('warn', `mails do not reach all of NOTIFY_TO (${rejected}); they are not sent again`)
    else faults.worked()
  }
}
