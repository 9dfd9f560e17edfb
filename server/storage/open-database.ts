import SqliteFile from 'better-sqlite3'
import { UserError } from '../user-error.ts'
import type { Database } from './database.ts'
import { describeKnownError } from './database-errors.ts'
import { type DatabaseAddress, redactedUrl } from './database-url.ts'
import { NewerSchema } from './migrations.ts'
import { servePostgres } from './postgres.ts'
import { serveSqlite } from './sqlite.ts'

/**
 * Opens a database for a server: migrates its tables, and creates a missing SQLite file, of which it tells by `tell`.
 * Throws a UserError if the database can't be used.
 */
export async function openDatabase(address: DatabaseAddress, tell: (line: string) => void): Promise<Database> {
  try {
    if (address.kind === 'postgres') return await servePostgres(address.url)
    return await serveSqlite(address.file, tell).catch(throwUnusable(address.file, 'DATABASE_URL'))
  } catch (error) {
    throw error instanceof NewerSchema ? new NewerSchema(redactedUrl(address)) : error
  }
}

/** Throws why a file can't be used as a database, and what to do. */
const throwUnusable = (file: string, settingName: string) => (error: unknown) => {
  if (error instanceof UserError) throw error
  const reason = error instanceof Error ? error.message : error
  const canBeOpened = error instanceof SqliteFile.SqliteError && !/CANTOPEN|READONLY/.test(error.code)
  const advice = (canBeOpened && describeKnownError(error)) || `Name a file that can be written in ${settingName}.`
  throw new UserError(`Can't use the database ${file} (${reason}). ${advice}`)
}
