import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import SqliteFile from 'better-sqlite3'
import { codeOf, UserError } from '../errors.ts'
import type { Settings } from '../settings.ts'
import { now } from './database.ts'
import { isDamage } from './database-errors.ts'
import type { DatabaseLocation } from './database-url.ts'
import { showStep } from './progress.ts'

/** Copies the SQLite file into a new file, while servers use it. Returns how many rows of visitors the copy has. */
export async function backUp(database: DatabaseLocation, file: string): Promise<number> {
  if (fs.existsSync(file)) throw new UserError(`${file} exists already: name a new file.`)
  const { part, rows } = await copyChecked(fileOf(database), file)
  await move(part, file)
  return rows
}

/**
 * Makes and checks a copy with a temporary name. The copy is made beside the database, because the folder of `file` may be
 * a network share without the locks that SQLite needs. If that fails, perhaps because the disk is full, the copy is made
 * beside `file`.
 */
async function copyChecked(source: string, file: string) {
  async function write(part: string) {
    showStep('Copying the database')
    const sqlite = new SqliteFile(source, { fileMustExist: true })
    // The copy is made in one step, because a copy in several steps begins again after each commit of a server.
    await sqlite.backup(part, { progress: () => Number.MAX_SAFE_INTEGER }).finally(() => sqlite.close())
  }
  try {
    return await writeChecked(source, write)
  } catch (error) {
    if (isDamage(error)) throw error
    return writeChecked(file, write).catch((otherError) => {
      throw isDamage(otherError) ? otherError : error
    })
  }
}

/**
 * Replaces the SQLite file with a backup. Stop all servers first. A file that was there is renamed to `keptFile`, and its
 * journal gets the same name with '-journal'.
 */
export async function restore(database: DatabaseLocation, backup: Readable) {
  const file = fileOf(database)
  fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const keptFile = `${file}.replaced-${now()}`
  showStep('Reading the backup')
  const { part, rows } = await writeChecked(file, async (part) => {
    await pipeline(backup, fs.createWriteStream(part))
    if (fs.statSync(part).size === 0) throw new UserError('The backup is empty: restore another backup.')
  })
  for (const suffix of ['', '-journal'])
    if (fs.existsSync(file + suffix)) fs.renameSync(file + suffix, keptFile + suffix)
  await move(part, file)
  return { rows, keptFile: fs.existsSync(keptFile) ? keptFile : null }
}

function fileOf(database: DatabaseLocation): string {
  if (database.kind === 'sqlite') return database.file
  throw new UserError(
    'PostgreSQL makes its own backups: run pg_dump --format=custom for the database of DATABASE_URL, or pg_restore.',
  )
}

/** A name for an unfinished file. It is random, because the processes of two containers often have the same id. */
const newPartName = (file: string) => `${file}.${randomUUID()}.part`

/** Writes an unfinished file beside `file`, checks it, and waits until the disk has it. Counts its rows of visitors. */
async function writeChecked(file: string, write: (part: string) => Promise<unknown>) {
  const part = newPartName(file)
  try {
    fs.closeSync(fs.openSync(part, 'wx', 0o600))
    await write(part)
    showStep('Checking the copy')
    const rows = withSqliteFile(part, (sqlite) => {
      if (sqlite.pragma('integrity_check(1)', { simple: true }) === 'ok') return countRows(sqlite)
      throw new SqliteFile.SqliteError('the check failed', 'SQLITE_CORRUPT')
    })
    sync(part)
    return { part, rows }
  } catch (error) {
    fs.rmSync(part, { force: true })
    throw error
  }
}

/** Gives a checked copy its final name, which may be on another disk. */
async function move(part: string, file: string) {
  const folder = dirname(file)
  const copy = newPartName(file)
  try {
    // A file can be renamed only within one disk.
    if (!tryRename(part, file)) {
      showStep(`Copying the backup into ${folder}`)
      await pipeline(fs.createReadStream(part), fs.createWriteStream(copy, { flags: 'wx', mode: 0o600 }))
      sync(copy)
      fs.renameSync(copy, file)
    }
    sync(folder)
  } catch (error) {
    const advice = 'check that this folder exists, that you may write there, and that its disk works and has room.'
    throw new UserError(`Can't write into ${folder} (${codeOf(error)}): ${advice}`)
  } finally {
    for (const unfinished of [part, copy]) fs.rmSync(unfinished, { force: true })
  }
}

function tryRename(part: string, file: string): boolean {
  try {
    fs.renameSync(part, file)
    return true
  } catch {
    return false
  }
}

function withSqliteFile<Answer>(file: string, statements: (sqlite: SqliteFile.Database) => Answer): Answer {
  const sqlite = new SqliteFile(file, { fileMustExist: true })
  try {
    return statements(sqlite)
  } finally {
    sqlite.close()
  }
}

const countRows = (sqlite: SqliteFile.Database) =>
  Number(sqlite.prepare('select (select count(*) from subscribers) + (select count(*) from enquiries)').pluck().get())

/** Codes that `sync` ignores. They mean that a path can't be synced, or that a folder can't be opened. */
const NO_SYNC = /^(EACCES|EBADF|EINVAL|EISDIR|ENOSYS|ENOTSUP|EOPNOTSUPP|EPERM|EROFS)$/

/** Waits until a file or a folder has reached the disk, if the disk can report that. */
function sync(path: string) {
  try {
    const descriptor = fs.openSync(path, 'r')
    try {
      fs.fsyncSync(descriptor)
    } finally {
      fs.closeSync(descriptor)
    }
  } catch (error) {
    if (!NO_SYNC.test(codeOf(error))) throw error
  }
}

/** The folder of the daily backups, or null for PostgreSQL, which has its own backups. */
export const backupFolder = ({ BACKUP_FOLDER, DATABASE_URL: database }: Settings) =>
  database.kind === 'postgres' ? null : (BACKUP_FOLDER ?? join(dirname(database.file), 'backups'))

const todaysName = () => `leads-${now().slice(0, 10)}.db`

export const countRowsIn = (file: string): number => withSqliteFile(file, countRows)

/** The time of today's backup, or null if there is none. */
export function timeOfTodaysBackup(folder: string): Date | null {
  return fs.statSync(join(folder, todaysName()), { throwIfNoEntry: false })?.mtime ?? null
}

/**
 * Makes the backup of the day, in UTC. Then deletes all but the newest `keptCount` backups, even if the new backup could
 * not be put into its folder; but deletes none if the copy failed or has no rows. Returns how many rows the new backup has.
 */
export async function backUpToday(database: DatabaseLocation, folder: string, keptCount: number): Promise<number> {
  const file = join(folder, todaysName())
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { part, rows } = await copyChecked(fileOf(database), file)
  try {
    await move(part, file)
  } finally {
    // An empty database may be the wrong one, for example if a volume is not mounted: then older backups stay.
    if (rows > 0) deleteOldBackups(folder, keptCount)
  }
  return rows
}

/**
 * The finished backups, the oldest first: their names sort by time. A backup whose day is in the future, because of a
 * wrong clock, is ignored until that day.
 */
const backupsIn = (folder: string) =>
  fs
    .readdirSync(folder)
    .filter((name) => /^leads-\d{4}-\d\d-\d\d\.db$/.test(name) && name <= todaysName())
    .toSorted()

/** Deletes all but the newest backups. Counts the backups and does not compare times, because the clock may be wrong. */
function deleteOldBackups(folder: string, keptCount: number): void {
  // Another server may delete the same backups at the same time.
  for (const name of backupsIn(folder).slice(0, -keptCount)) fs.rmSync(join(folder, name), { force: true })
}

/** If nothing was written to an unfinished file for this time, the process that wrote the file was killed. */
const PART_LIFE_MS = 2 * 3_600_000

/** Deletes unfinished files that killed processes have left, in a folder where other processes may write such files. */
export function deleteOldParts(folder: string): void {
  if (!fs.existsSync(folder)) return
  for (const name of fs.readdirSync(folder).filter((name) => /\.[\da-f-]{36}\.part(-journal)?$/.test(name))) {
    const writtenAt = fs.statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (writtenAt < Date.now() - PART_LIFE_MS) fs.rmSync(join(folder, name), { force: true })
  }
}

/** The time of the newest backup, or null if there is none. */
export function timeOfNewestBackup(folder: string): Date | null {
  const newest = fs.existsSync(folder) && backupsIn(folder).at(-1)
  return newest ? fs.statSync(join(folder, newest)).mtime : null
}
