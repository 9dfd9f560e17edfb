import { existsSync } from 'node:fs'
import { UserError } from '../user-error.ts'
import type { Database, Db } from './database.ts'
import { databaseAdvice } from './database-errors.ts'
import { type DatabaseAddress, redactedUrl } from './database-url.ts'
import { MIGRATIONS, schemaVersion } from './migrations.ts'
import { openPostgres, PATIENT, servePostgres } from './postgres.ts'
import { openSqlite, serveSqlite } from './sqlite.ts'

/**
 * Opens a database for a server: migrates its tables, and creates a missing SQLite file. Reports both by `tell`. Throws
 * a UserError if the database can't be used.
 */
export async function openDatabase(address: DatabaseAddress, tell: (line: string) => void): Promise<Database> {
  try {
    return address.kind === 'postgres' ? await servePostgres(address.url, tell) : await serveSqlite(address.file, tell)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`Can't use the database ${redactedUrl(address)}. ${databaseAdvice(error)}`)
  }
}

/**
 * Opens a database for a command, while servers may use it. Creates and migrates nothing. Work that only reads needs no
 * permission to write.
 */
export async function withDatabase<Answer>(address: DatabaseAddress, work: (db: Db) => Promise<Answer>) {
  if (address.kind === 'sqlite' && !existsSync(address.file)) {
    throw new UserError(`There is no database ${address.file}: set DATABASE_URL to that of the server.`)
  }
  const database = address.kind === 'postgres' ? openPostgres(address.url, PATIENT) : openSqlite(address.file)
  const answer = database.run(async (db) => {
    if ((await schemaVersion(db)) >= MIGRATIONS.length) return work(db)
    throw new UserError(
      `${redactedUrl(address)} lacks tables of this release: set DATABASE_URL to that of the server, and start the server, which makes them.`,
    )
  })
  return answer.finally(() => database.close())
}
