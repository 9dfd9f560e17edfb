import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import SqliteFile from 'better-sqlite3'
import { UserError } from '../errors.ts'
import type { Settings } from '../settings.ts'
import { now } from './database.ts'
import type { DatabaseAddress } from './database-url.ts'

/** Copies the SQLite file, while servers use it, into a new file. Returns how many rows of visitors it has. */
export async function backUp(database: DatabaseAddress, file: string): Promise<number> {
  const source = fileOf(database)
  if (fs.existsSync(file)) throw new UserError(`${file} exists already: name a new file.`)
  return writeChecked(file, async (part) => {
    const sqlite = new SqliteFile(source, { fileMustExist: true })
    // In one step: a copy in several steps begins again after each commit of a server.
    await sqlite.backup(part, { progress: () => Number.MAX_SAFE_INTEGER }).finally(() => sqlite.close())
  })
}

/**
 * Replaces the SQLite file, which no server uses, by a backup. Keeps a file that is there under the name `kept`, and its
 * journal beside it.
 */
export async function restore(database: DatabaseAddress, backup: Readable) {
  const file = fileOf(database)
  fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const kept = `${file}.replaced-${now()}`
  const write = (part: string) => pipeline(backup, fs.createWriteStream(part))
  const rows = await writeChecked(file, write, () => {
    for (const suffix of ['', '-journal']) if (fs.existsSync(file + suffix)) fs.renameSync(file + suffix, kept + suffix)
  })
  return { rows, kept: fs.existsSync(kept) ? kept : null }
}

function fileOf(database: DatabaseAddress): string {
  if (database.kind === 'sqlite') return database.file
  throw new UserError(
    'PostgreSQL makes its own backups: run pg_dump --format=custom for the database of DATABASE_URL, or pg_restore.',
  )
}

/** The file gets its name when it is checked and on the disk. */
async function writeChecked(file: string, write: (part: string) => Promise<unknown>, beforeRename = () => {}) {
  // Random, because process ids of two containers are often the same.
  const part = `${file}.${randomUUID()}.part`
  try {
    fs.closeSync(fs.openSync(part, 'wx', 0o600))
    await write(part)
    const rows = countRows(part)
    sync(part)
    beforeRename()
    fs.renameSync(part, file)
    sync(dirname(file))
    return rows
  } finally {
    fs.rmSync(part, { force: true })
  }
}

/** Checks a copy, and returns how many rows of visitors it has. */
function countRows(copy: string): number {
  const damage = new UserError('The database or backup is damaged: restore a backup that is whole.')
  const sqlite = new SqliteFile(copy, { readonly: true })
  try {
    if (sqlite.pragma('integrity_check(1)', { simple: true }) !== 'ok') throw damage
    const counting = 'select (select count(*) from subscribers) + (select count(*) from enquiries)'
    return Number(sqlite.prepare(counting).pluck().get())
  } catch (error) {
    throw error instanceof SqliteFile.SqliteError ? damage : error
  } finally {
    sqlite.close()
  }
}

/** A file or a folder has reached the disk when this returns. */
function sync(path: string) {
  const descriptor = fs.openSync(path, 'r')
  fs.fsyncSync(descriptor)
  fs.closeSync(descriptor)
}

/** The folder of the daily backups, or null for PostgreSQL, which is backed up by its own means. */
export const backupFolder = ({ BACKUP_FOLDER, DATABASE_URL: database }: Settings) =>
  database.kind === 'postgres' ? null : (BACKUP_FOLDER ?? join(dirname(database.file), 'backups'))

/** The name of the backup of today, in UTC. */
const todaysName = () => `leads-${now().slice(0, 10)}.db`

export const isBackedUpToday = (folder: string) => fs.existsSync(join(folder, todaysName()))

/** Makes the backup of the day, in UTC, if there is none. Returns its rows, and its time if there was one. */
export async function backUpToday(database: DatabaseAddress, folder: string) {
  const file = join(folder, todaysName())
  if (isBackedUpToday(folder)) return { rows: countRows(file), madeAt: fs.statSync(file).mtime }
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  return { rows: await backUp(database, file), madeAt: null }
}

/**
 * The whole backups, the oldest first: their names sort by time. One that was made under a wrong clock, and is of a day
 * in the future, counts from that day on.
 */
const backupsIn = (folder: string) =>
  fs
    .readdirSync(folder)
    .filter((name) => /^leads-\d{4}-\d\d-\d\d\.db$/.test(name) && name <= todaysName())
    .toSorted()

/** Deletes all but the newest backups. It counts them, and compares no times, because the clock may be wrong. */
export function deleteOldBackups(folder: string, keptCount: number): void {
  const oldestKept = backupsIn(folder).at(-keptCount) ?? ''
  // A copy that was killed has a longer name. Another server may delete them at the same time.
  const old = fs.readdirSync(folder).filter((name) => /^leads-\d{4}-\d\d-\d\d\.db/.test(name) && name < oldestKept)
  for (const name of old) fs.rmSync(join(folder, name), { force: true })
}

/** When the newest backup was made, in milliseconds; 0 if there is none. */
export function timeOfNewestBackup(folder: string): number {
  const newest = fs.existsSync(folder) && backupsIn(folder).at(-1)
  return newest ? fs.statSync(join(folder, newest)).mtimeMs : 0
}
