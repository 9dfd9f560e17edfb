import { existsSync } from 'node:fs'
import { UserError } from '../errors.ts'
import { IN_COMMAND, IN_SERVER, type Timeouts } from '../timeouts.ts'
import type { Database, Db } from './database.ts'
import { databaseAdvice } from './database-errors.ts'
import { type DatabaseAddress, redactedUrl } from './database-url.ts'
import { MIGRATIONS, migrate, schemaVersion } from './migrations.ts'
import { openPostgres } from './postgres.ts'
import { showStep } from './progress.ts'
import { makeSqliteFile, openSqlite } from './sqlite.ts'

const open = (address: DatabaseAddress, timeouts: Timeouts): Database =>
  address.kind === 'sqlite' ? openSqlite(address.file, timeouts.fileLockMs) : openPostgres(address.url, timeouts)

/** Opens a database for a server: makes a missing SQLite file, and makes or migrates the tables. */
export async function openDatabase(
  address: DatabaseAddress,
  log: { info(line: string): void; warn(line: string): void },
  migrations = MIGRATIONS,
): Promise<Database> {
  try {
    if (address.kind === 'sqlite') makeSqliteFile(address.file)
    const database = open(address, IN_COMMAND)
    const migrated = database.run((db) => migrate(db, (line) => log.info(line), migrations))
    if ((await migrated.finally(() => database.close())) === 0) {
      log.warn(
        `Made a new, empty database ${redactedUrl(address)}. This is right at the first start. At any other start, stop the server: its data is lost or in another place. Find the volume, correct DATABASE_URL, or restore a backup`,
      )
    }
    return open(address, IN_SERVER)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`Can't use the database ${redactedUrl(address)}. ${databaseAdvice(error)}`)
  }
}

/**
 * Opens a database for a command, while servers may use it. Creates and migrates nothing, so a role that may only select
 * can run commands that only read.
 */
export async function openForCommand(address: DatabaseAddress): Promise<Database> {
  if (address.kind === 'sqlite' && !existsSync(address.file)) {
    throw new UserError(`There is no database ${address.file}: give DATABASE_URL the value that it has for the server.`)
  }
  showStep('Waiting for the database')
  const database = open(address, IN_COMMAND)
  try {
    if ((await database.run(schemaVersion)) >= MIGRATIONS.length) return database
    throw new UserError(
      `${redactedUrl(address)} lacks tables of this release: give DATABASE_URL the value that it has for the server, and start the server once, which makes the tables.`,
    )
  } catch (error) {
    await database.close()
    throw error
  }
}

export async function withDatabase<Answer>(address: DatabaseAddress, statements: (db: Db) => Promise<Answer>) {
  const database = await openForCommand(address)
  return database.run(statements).finally(() => database.close())
}
