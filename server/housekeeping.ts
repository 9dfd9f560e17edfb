import { type ChildProcess, execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { UserError } from './errors.ts'
import type { Send } from './mail/smtp.ts'
import { failureMail } from './mail/write-mails.ts'
import type { Settings } from './settings.ts'
import { backUpToday, backupFolder, countRowsIn, deleteOldParts, timeOfTodaysBackup } from './storage/backups.ts'
import { DAY_MS, type Db, fromNow, VISITOR_TABLES, type VisitorTable } from './storage/database.ts'
import { explainError, isDamage } from './storage/database-errors.ts'
import { withDatabase } from './storage/open-database.ts'
import { deleteRows, vacuum } from './storage/sqlite.ts'

/**
 * The command `leads housekeeping`: makes the backup of the day, in UTC, if there is none; deletes the oldest backups;
 * deletes rows that are too old; rewrites a SQLite file that still has text of deleted rows. If a step fails, the other
 * steps are done nevertheless. But if the database is damaged, the command stops at once.
 */
export async function housekeeping(settings: Settings, force: boolean, report: (line: string) => void): Promise<void> {
  let hasFailed = false
  async function attempt(step: () => Promise<void>) {
    try {
      await step()
    } catch (error) {
      if (isDamage(error)) throw error
      report(explainError(error))
      hasFailed = true
    }
  }
  const database = settings.DATABASE_URL
  const folder = backupFolder(settings)
  if (database.kind === 'sqlite' && folder !== null) {
    for (const place of [dirname(database.file), folder]) await attempt(async () => deleteOldParts(place))
    await attempt(async () => {
      const madeAt = timeOfTodaysBackup(folder)?.toISOString().slice(11, 16)
      if (madeAt) return report(`Today's backup was made at ${madeAt} UTC. Rows now: ${countRowsIn(database.file)}`)
      report(`Backed up and checked, in ${folder}: rows ${await backUpToday(database, folder, settings.KEEP_BACKUPS)}`)
    })
  }
  const keptDays = { subscribers: settings.KEEP_SUBSCRIBERS_DAYS, enquiries: settings.KEEP_ENQUIRIES_DAYS }
  await attempt(() =>
    withDatabase(database, async (db) => {
      for (const table of VISITOR_TABLES) {
        const days = keptDays[table]
        if (days === null) continue
        await attempt(async () => report(`Deleted: ${table} ${await deleteOlderThan(db, table, days, force)}`))
      }
      await vacuum(db)
    }),
  )
  if (hasFailed)
    throw new UserError(
      'The housekeeping is incomplete: see the lines above. Fix the cause, then run leads housekeeping.',
    )
}

/** Rows are deleted every day. If a row is overdue by more than this, the clock is wrong or the setting is new. */
const MAX_OVERDUE_DAYS = 31

async function deleteOlderThan(db: Db, table: VisitorTable, days: number, force: boolean): Promise<bigint> {
  const overdue = db
    .selectFrom<VisitorTable>(table)
    .select('id')
    .where('created_at', '<', fromNow(-(days + MAX_OVERDUE_DAYS) * DAY_MS))
  if (!force && (await overdue.executeTakeFirst())) {
    throw new UserError(
      `Nothing was deleted from ${table}, because some rows are more than a month past the limit of ${days} days. If the clock of this machine and KEEP_${table.toUpperCase()}_DAYS are right, run leads housekeeping --force once.`,
    )
  }
  return deleteRows(db, table, sql`created_at < ${fromNow(-days * DAY_MS)}`)
}

const LEADS = join(import.meta.dirname, 'leads', 'main.ts')

/** The first check waits, so that the server has the processor to itself while it starts. */
const FIRST_CHECK_MS = 10_000

const HOUR_MS = 3_600_000

/**
 * Checks every hour whether today's backup is missing, and then runs the housekeeping. On PostgreSQL, which has its own
 * backups, the housekeeping runs every hour. It runs in another process, because copying the database would keep this
 * process from answering visitors. Of several failures in a row, only the first is mailed.
 */
export function startHousekeeping(
  settings: Settings,
  log: FastifyBaseLogger,
  send: Send | null,
  onEnd: (succeeded: boolean) => void,
) {
  const folder = backupFolder(settings)
  let child: ChildProcess | null = null
  let isMailed = false
  let isStopped = false

  async function run() {
    try {
      // The command handles SIGTERM in JavaScript, which does not run during a long step of SQLite.
      const options = { timeout: HOUR_MS, killSignal: 'SIGKILL' } as const
      const ended = promisify(execFile)(process.execPath, [LEADS, 'housekeeping'], options)
      child = ended.child
      const { stderr } = await ended
      if (stderr) log.info(`housekeeping: ${oneLine(stderr)}`)
      isMailed = false
      onEnd(true)
    } catch (error) {
      if (isStopped) return
      const reason = oneLine(String(Object(error).stderr)) || 'it was killed, or took an hour'
      log.error(`housekeeping failed: ${reason}`)
      onEnd(false)
      if (!isMailed && send) isMailed = (await send(failureMail(reason))).delivered
    }
  }

  async function check() {
    if (isStopped) return
    if (folder === null || timeOfTodaysBackup(folder) === null) await run()
    setTimeout(check, HOUR_MS).unref()
  }

  setTimeout(check, FIRST_CHECK_MS).unref()
  return {
    /** Kills a housekeeping that still runs. It may leave unfinished files, which a later housekeeping deletes. */
    stop() {
      isStopped = true
      child?.kill('SIGKILL')
    },
  }
}

const oneLine = (text: string) => text.trim().replaceAll('\n', '. ')
