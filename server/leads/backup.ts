import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { sql } from 'kysely'
import type { Settings } from '../settings.ts'
import { replaceSqlite } from '../storage/sqlite.ts'
import { UserError } from '../user-error.ts'
import { purge } from './erase.ts'
import { withLeads } from './open.ts'
import { LEAD_TABLES } from './people.ts'
import { daysAgo, say } from './terminal.ts'

const NOT_SQLITE =
  'PostgreSQL makes its own backups: run pg_dump --format=custom for the database of DATABASE_URL, or pg_restore.'

/** Copies the SQLite file, while servers use it, into a new one, and checks the copy. Returns the number of leads. */
export async function backup({ DATABASE_URL: source }: Settings, name: string): Promise<number> {
  if (source.kind === 'postgres') throw new UserError(NOT_SQLITE)
  const file = resolve(name)
  if (existsSync(file)) throw new UserError(`${file} exists already: name a new file.`)
  const partFile = `${file}.${process.pid}.part`
  closeSync(openSync(partFile, 'wx', 0o600))
  await withLeads(source, 'read', (db) => sql`vacuum into ${partFile}`.execute(db))
  const counts = check(
    partFile,
    `${source.file} is damaged: stop its server, and restore the newest backup that is whole.`,
  )
  renameSync(partFile, file)
  say(`Backed up and checked: ${described(counts)}, in ${file}`)
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Replaces the SQLite file by a backup, and keeps it, with its journal, under a name with the time. */
export function restore({ DATABASE_URL: target }: Settings, name: string): void {
  if (target.kind === 'postgres') throw new UserError(NOT_SQLITE)
  const { file } = target
  const [source, partFile] = [resolve(name), `${file}.${process.pid}.part`]
  const kept = `${file}.replaced-${new Date().toISOString()}`
  replaceSqlite(file, () => {
    const counts = check(source, `${source} is damaged: restore another backup.`)
    copyFileSync(source, partFile)
    for (const suffix of ['', '-journal']) if (existsSync(file + suffix)) renameSync(file + suffix, kept + suffix)
    renameSync(partFile, file)
    say(`Restored: ${described(counts)}. ${kept} is the replaced file: no erasure changes it, so delete it soon.`)
  })
}

const described = (counts: readonly number[]) => LEAD_TABLES.map((table, i) => `${table} ${counts[i]}`).join(', ')

/** Checks a whole copy. Returns the number of rows of each table. */
function check(copy: string, problem: string): number[] {
  const sqlite = new SqliteFile(copy, { readonly: true })
  try {
    if (sqlite.pragma('integrity_check(1)', { simple: true }) !== 'ok') throw new UserError(problem)
    return LEAD_TABLES.map((table) => Number(sqlite.prepare(`select count(*) from ${table}`).pluck().get()))
  } finally {
    sqlite.close()
  }
}

/** The names sort by time. The file of a killed backup has a longer name, and counts as a backup. */
const BACKUP = /^leads-\d{4}-\d\d-\d\d/

/**
 * The daily work; doing it again does nothing. Each step is done only if the step before succeeded: the backup of the
 * day, the deletion of the oldest backups beyond KEEP_BACKUPS, and of leads older than KEEP_SUBSCRIBERS_DAYS and
 * KEEP_ENQUIRIES_DAYS. PostgreSQL is backed up by its own means.
 */
export async function daily(settings: Settings) {
  const { DATABASE_URL: database, KEEP_SUBSCRIBERS_DAYS, KEEP_ENQUIRIES_DAYS } = settings
  if (database.kind === 'sqlite') {
    const folder = settings.BACKUP_FOLDER ?? join(dirname(database.file), 'backups')
    const file = join(folder, `leads-${new Date().toISOString().slice(0, 10)}.db`)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // An empty database may be the wrong one, for example if a volume is not mounted: then older backups stay.
    if (!existsSync(file) && (await backup(settings, file)) > 0) deleteOldest(folder, settings.KEEP_BACKUPS)
  }
  const keptDays = { subscribers: KEEP_SUBSCRIBERS_DAYS, enquiries: KEEP_ENQUIRIES_DAYS }
  for (const table of LEAD_TABLES) {
    const days = keptDays[table]
    if (days !== null) await withLeads(database, 'write', (db) => purge(db, table, daysAgo(days), false, true))
  }
}

/** Counts backups, and compares no times, because the clock may be wrong. */
function deleteOldest(folder: string, keptCount: number) {
  const backups = readdirSync(folder)
    .filter((name) => BACKUP.test(name))
    .toSorted()
  for (const name of backups.slice(0, -keptCount)) rmSync(join(folder, name))
}
