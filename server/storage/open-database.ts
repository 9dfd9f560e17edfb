import SqliteFile from 'better-sqlite3'
import { UserError } from '../user-error.ts'
import type { Database } from './database.ts'
import { describeDatabaseError, describeKnownError } from './database-errors.ts'
import { type DatabaseAddress, redactedUrl } from './database-url.ts'
import { servePostgres } from './postgres.ts'
import { serveSqlite, unwritablePath } from './sqlite.ts'

/**
 * Opens a database for a server: migrates its tables, and creates a missing SQLite file. Reports both by `tell`. Throws
 * a UserError if the database can't be used.
 */
export async function openDatabase(address: DatabaseAddress, tell: (line: string) => void): Promise<Database> {
  try {
    return address.kind === 'postgres' ? await servePostgres(address.url, tell) : await serveSqlite(address.file, tell)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`Can't use the database ${redactedUrl(address)}. ${adviceFor(address, error)}`)
  }
}

function adviceFor(address: DatabaseAddress, error: unknown): string {
  if (address.kind === 'postgres') return describeDatabaseError(error)
  const path = unwritablePath(address.file)
  if (path !== null) return `This user may not write ${path}: change its owner or its mode.`
  const reason = error instanceof Error ? error.message : error
  const canBeOpened = error instanceof SqliteFile.SqliteError && !/CANTOPEN|READONLY/.test(error.code)
  const advice = canBeOpened
    ? (describeKnownError(error) ?? 'Report this, and go back to the release before, which runs on these tables.')
    : 'Name a file that can be written in DATABASE_URL.'
  return `${reason}: ${advice}`
}
