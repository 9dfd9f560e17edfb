import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'

const LEADS = join(import.meta.dirname, 'leads', 'main.ts')

const HOUR_MS = 3_600_000

/**
 * Runs `leads daily` every hour: it makes the backup of the day if there is none, and erases what is too old. It is a
 * process of its own, because a backup would keep this one from answering visitors.
 */
export function startDaily(log: FastifyBaseLogger, onSuccess: () => void): void {
  setInterval(async () => {
    try {
      const { stderr } = await promisify(execFile)(process.execPath, [LEADS, 'daily'])
      if (stderr) log.info(`daily work: ${oneLine(stderr)}`)
      onSuccess()
    } catch (error) {
      const reason = error instanceof Error && 'stderr' in error ? oneLine(`${error.stderr}`) : ''
      log.error(`the daily backup or deletion failed, and is tried again in an hour: ${reason}`)
    }
  }, HOUR_MS).unref()
}

const oneLine = (text: string) => text.trim().replaceAll('\n', '. ')
