import { UserError } from '../user-error.ts'
import type { Database } from './database.ts'
import { adviceFor } from './database-errors.ts'
import { type DatabaseAddress, redactedUrl } from './database-url.ts'
import { servePostgres } from './postgres.ts'
import { serveSqlite } from './sqlite.ts'

/**
 * Opens a database for a server: migrates its tables, and creates a missing SQLite file. Reports both by `tell`. Throws
 * a UserError if the database can't be used.
 */
export async function openDatabase(address: DatabaseAddress, tell: (line: string) => void): Promise<Database> {
  try {
    return address.kind === 'postgres' ? await servePostgres(address.url, tell) : await serveSqlite(address.file, tell)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`Can't use the database ${redactedUrl(address)}. ${adviceFor(error)}`)
  }
}
