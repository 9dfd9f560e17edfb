import type { FastifyBaseLogger } from 'fastify'
import { pino, stdTimeFunctions } from 'pino'
import { mailAdvice } from './mail/advice.ts'
import type { OnAttempt } from './mail/mailer.ts'
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

/** Logs a line at most once a minute, for as long as its cause lasts. */
function logSparsely(log: FastifyBaseLogger) {
  const loggedAt = new Map<string, number>()
  return (level: 'warn' | 'error', line: string) => {
    const now = performance.now()
    if (now - (loggedAt.get(line) ?? Number.NEGATIVE_INFINITY) < 60_000) return
    loggedAt.set(line, now)
    log[level](line)
  }
}

/** Logs why calls can't be stored. */
export function logRefusals(log: FastifyBaseLogger): (error: unknown) => void {
  const write = logSparsely(log)
  return (error) =>
    write('error', `database unavailable; calls are answered 503 until it is back. ${databaseAdvice(error)}`)
}

/** Logs why mails about enquiries can't be delivered. */
export function logMails(log: FastifyBaseLogger): OnAttempt {
  const write = logSparsely(log)
  return ({ delivered, code, rejected }) => {
    if (rejected) write('warn', `mails do not reach all of NOTIFY_TO (${rejected}); they are not sent again`)
    else if (!delivered) write('warn', `mails fail (${code}), as leads outbox shows. ${mailAdvice(code)}`)
  }
}
