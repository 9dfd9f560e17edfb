import { sql } from 'kysely'
import type { Settings } from '../settings.ts'
import { backUpToday, backupFolder, deleteOldBackups } from '../storage/backups.ts'
import { type Db, noteTime, TABLES, type Table } from '../storage/database.ts'
import { withDatabase } from '../storage/open-database.ts'
import { UserError } from '../user-error.ts'
import { remove, rewriteFile } from './erase.ts'
import { daysAgo, localTime, say } from './terminal.ts'

/**
 * The daily work; doing it again does nothing. Each step is done only if the step before succeeded: the backup of the
 * day, the deletion of the oldest backups beyond KEEP_BACKUPS, and of rows older than KEEP_SUBSCRIBERS_DAYS and
 * KEEP_ENQUIRIES_DAYS.
 */
export async function daily(settings: Settings, clockIsRight: boolean) {
  const folder = backupFolder(settings)
  if (folder !== null) {
    const rows = await backUpToday(settings.DATABASE_URL, folder)
    if (rows !== null) say(`Backed up and checked, in ${folder}: rows ${rows}`)
    // An empty database may be the wrong one, for example if a volume is not mounted: then older backups stay.
    if (rows) deleteOldBackups(folder, settings.KEEP_BACKUPS)
  }
  const keptDays = { subscribers: settings.KEEP_SUBSCRIBERS_DAYS, enquiries: settings.KEEP_ENQUIRIES_DAYS }
  const keepsAll = TABLES.every((table) => keptDays[table] === null)
  await withDatabase(settings.DATABASE_URL, async (db) => {
    await believeClock(db, clockIsRight || keepsAll)
    await removeOld(db, keptDays)
  })
}

/** How far the clock may have gone since the last daily work. */
const MAX_LEAP_DAYS = 31

/**
 * A clock that is years ahead makes every row old. The age of the rows does not tell this from a year without visitors;
 * the time since the last daily work does, which is an hour. It is not noted when the clock is not believed, so that
 * the next run does not believe it either.
 */
async function believeClock(db: Db, always: boolean) {
  const last = await db.selectFrom('times').select('time').where('id', '=', 'daily').executeTakeFirst()
  if (last && last.time < daysAgo(MAX_LEAP_DAYS) && !always) {
    throw new UserError(
      `Nothing was erased: by the clock of this machine, the last daily work was on ${localTime(last.time)}, more than ${MAX_LEAP_DAYS} days ago. If the clock is right, run leads daily --clock-is-right once.`,
    )
  }
  await noteTime(db, 'daily')
}

/** Tries the other table too if one fails. */
async function removeOld(db: Db, keptDays: Readonly<Record<Table, number | null>>) {
  const failures: unknown[] = []
  for (const table of TABLES) {
    const days = keptDays[table]
    if (days === null) continue
    await remove(db, table, sql`created_at < ${daysAgo(days)}`).catch((error) => failures.push(error))
  }
  await rewriteFile(db)
  if (failures.length > 0) throw failures[0]
}
