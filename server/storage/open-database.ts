import { UserError } from '../user-error.ts'
import type { ServedDatabase } from './database.ts'
import type { DatabaseAddress } from './database-url.ts'
import { servePostgres } from './postgres.ts'
import { serveSqlite } from './sqlite.ts'

/**
 * For a server: migrates the tables, and creates a missing SQLite file. Throws a UserError if it can't be used. `report`
 * gets a line for the log if a SQLite file is lost later.
 */
export const openDatabase = (address: DatabaseAddress, report: (line: string) => void): Promise<ServedDatabase> =>
  address.kind === 'postgres'
    ? servePostgres(address.hosts)
    : serveSqlite(address.file, report).catch(throwUnusable(address.file, 'DATABASE_URL'))

/** Throws why a file can't be used as a database, and names the setting to change. */
export const throwUnusable = (file: string, settingName: string) => (error: unknown) => {
  if (error instanceof UserError) throw error
  const reason = error instanceof Error ? error.message : error
  throw new UserError(`Can't use the database ${file} (${reason}): name a file that can be written in ${settingName}.`)
}
