import { existsSync } from 'node:fs'
import { UserError } from '../errors.ts'
import type { Database, Db } from './database.ts'
import { databaseAdvice } from './database-errors.ts'
import { type DatabaseAddress, redactedUrl } from './database-url.ts'
import { MIGRATIONS, migrate, schemaVersion } from './migrations.ts'
import { HASTY, openPostgres, PATIENT } from './postgres.ts'
import { makeSqliteFile, openSqlite } from './sqlite.ts'

/** `patient` waits for the locks of others, for a command or a migration. A running server gives up soon and tries again. */
function open(address: DatabaseAddress, patient: boolean): Database {
  if (address.kind === 'sqlite') return openSqlite(address.file, patient ? 30_000 : 20)
  return openPostgres(address.url, patient ? PATIENT : HASTY)
}

/**
 * Opens a database for a server: migrates its tables, and creates a missing SQLite file. Reports both by `tell`. Throws
 * a UserError if the database can't be used.
 */
export async function openDatabase(
  address: DatabaseAddress,
  tell: (line: string) => void,
  migrations = MIGRATIONS,
): Promise<Database> {
  try {
    if (address.kind === 'sqlite' && !existsSync(address.file)) {
      makeSqliteFile(address.file)
      tell(`Made a new, empty database ${address.file}`)
    }
    const database = open(address, true)
    await database.run((db) => migrate(db, tell, migrations)).finally(() => database.close())
    return open(address, false)
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
  const database = open(address, true)
  const answer = database.run(async (db) => {
    if ((await schemaVersion(db)) >= MIGRATIONS.length) return work(db)
    throw new UserError(
      `${redactedUrl(address)} lacks tables of this release: set DATABASE_URL to that of the server, and start the server, which makes them.`,
    )
  })
  return answer.finally(() => database.close())
}
