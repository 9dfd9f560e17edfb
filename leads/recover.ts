import { closeSync, existsSync, openSync, realpathSync, rmSync } from 'node:fs'
import SqliteFile from 'better-sqlite3'
import type { DatabaseAddress } from '../server/storage/database-url.ts'
import { readMarker, removeMarker } from '../server/storage/loss-marker.ts'
import { readHeader } from '../server/storage/sqlite-header.ts'
import { UserError } from '../server/user-error.ts'
import { printStatus } from './progress.ts'
import { LEAD_TABLES, type LeadTable } from './rows.ts'

/**
 * Checks a database file that a server has lost, and lets servers start on it again. Throws a UserError that says what is
 * wrong, also if rows are missing, unless `acceptMissing`.
 */
export function recover(address: DatabaseAddress, acceptMissing: boolean): void {
  if (address.kind !== 'sqlite') throw new UserError('Only a SQLite file is recovered; PostgreSQL recovers by itself.')
  const { file } = address
  const marker = readMarker(file)
  const header = headerOf(file)
  if (!header) {
    throw new UserError(`There is no database ${file}: put the file and its -wal back, or run "leads restore BACKUP".`)
  }
  // The log is beside the file that a link points to.
  const real = realpathSync(file)
  const isLostFile = marker === null || (header.id === marker.id && header.changes >= marker.changes)
  if (!isLostFile && existsSync(`${real}-wal`)) {
    throw new UserError(
      `${file} is not the file that was lost, but ${real}-wal belongs to that: put the lost file back, or move ${real}-wal and ${real}-shm away.`,
    )
  }
  const sqlite = new SqliteFile(file, { fileMustExist: true, timeout: 0 })
  try {
    // Fails, and opens no log, while a server or a reader has the file open.
    sqlite.pragma('locking_mode = EXCLUSIVE')
    // Writes the log into the file, and deletes it.
    sqlite.pragma('journal_mode = DELETE')
    printStatus(`Checking ${file}; a gigabyte takes some seconds.`)
    const fault = sqlite.pragma('integrity_check(1)', { simple: true })
    if (fault !== 'ok') throw new UserError(`${file} is damaged (${fault}): restore a backup.`)
    const count = (table: LeadTable) => sqlite.prepare<[], number>(`select count(*) from ${table}`).pluck().get() ?? 0
    const counts = LEAD_TABLES.map((table) => `${count(table).toLocaleString('en')} ${table}`)
    printStatus(`${file} is sound: ${counts.join(', ')}.`)
    const lastId = sqlite.prepare<[LeadTable], number>('select seq from sqlite_sequence where name = ?').pluck()
    const missing = LEAD_TABLES.flatMap((table) => {
      const [last, wanted] = [lastId.get(table) ?? 0, marker?.lastIds[table] ?? 0]
      return last < wanted ? `${table} ${last + 1} to ${wanted}` : []
    })
    if (missing.length > 0) printStatus(`Missing: ${missing.join(', ')}.`)
    if (missing.length > 0 && !acceptMissing) {
      throw new UserError(
        `Put the file or backup that has them to ${file}, or go on without them: "leads recover --accept-missing".`,
      )
    }
  } finally {
    sqlite.close()
  }
  // An exclusive connection neither uses nor deletes the log's index.
  rmSync(`${real}-shm`, { force: true })
  removeMarker(file)
  printStatus(`Servers can start on ${file} again.`)
}

function headerOf(file: string) {
  if (!existsSync(file)) return null
  const handle = openSync(file, 'r')
  try {
    return readHeader(handle)
  } finally {
    closeSync(handle)
  }
}
