import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import { failureMail } from './mail/mails.ts'
import type { Send } from './mail/smtp.ts'

const LEADS = join(import.meta.dirname, 'leads', 'main.ts')

/** The first look leaves the processor to the start itself. */
const FIRST_LOOK_MS = 10_000

const HOUR_MS = 3_600_000

type Daily = {
  readonly log: FastifyBaseLogger
  /** Null if no mail is configured. */
  readonly send: Send | null
  readonly onEnd: (succeeded: boolean) => void
}

/**
 * Runs `leads daily` soon after the start and then every hour: it makes the backup of the day if there is none, and
 * erases what is too old. It is a process of its own, because a backup would keep this one from answering visitors. Of
 * several failures in a row one is told by mail.
 */
export function startDaily({ log, send, onEnd }: Daily): void {
  let isTold = false

  async function look() {
    try {
      const { stderr } = await promisify(execFile)(process.execPath, [LEADS, 'daily'])
      if (stderr) log.info(`daily work: ${oneLine(stderr)}`)
      isTold = false
      onEnd(true)
    } catch (error) {
      const reason = error instanceof Error && 'stderr' in error ? oneLine(`${error.stderr}`) : ''
      log.error(`the daily backup or deletion failed, and is tried again in an hour: ${reason}`)
      onEnd(false)
      if (!isTold && send) isTold = (await send(failureMail(reason))).delivered
    }
  }
  setTimeout(look, FIRST_LOOK_MS).unref()
  setInterval(look, HOUR_MS).unref()
}

const oneLine = (text: string) => text.trim().replaceAll('\n', '. ')
