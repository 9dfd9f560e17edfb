import { existsSync } from 'node:fs'
import { UserError } from '../errors.ts'
import { COMMAND_TIMEOUTS, SERVER_TIMEOUTS, type Timeouts } from '../timeouts.ts'
import type { Database, Db } from './database.ts'
import { databaseAdvice } from './database-errors.ts'
import { type DatabaseLocation, withoutPassword } from './database-url.ts'
import { MIGRATIONS, migrate, schemaVersion } from './migrations.ts'
import { openPostgres } from './postgres.ts'
import { showStep } from './progress.ts'
import { makeSqliteFile, openSqlite } from './sqlite.ts'

const open = (address: DatabaseLocation, timeouts: Timeouts): Database =>
  address.kind === 'sqlite' ? openSqlite(address.file, timeouts.fileLockMs) : openPostgres(address.url, timeouts)

/** Makes a missing SQLite file, makes or migrates the tables, and opens the database for a server. */
export async function openDatabase(
  address: DatabaseLocation,
  log: { info(line: string): void; warn(line: string): void },
  migrations = MIGRATIONS,
): Promise<Database> {
  try {
    if (address.kind === 'sqlite') makeSqliteFile(address.file)
    // A migration may take long, so it gets the timeouts of a command.
    const database = open(address, COMMAND_TIMEOUTS)
    const migrated = database.run((db) => migrate(db, (line) => log.info(line), migrations))
    if ((await migrated.finally(() => database.close())) === 0) {
      log.warn(
        `Made a new, empty database ${withoutPassword(address)}. This is right at the first start. If this is not the first start, stop the server: the old data is in another place, or lost. Find the volume, correct DATABASE_URL, or restore a backup`,
      )
    }
    return open(address, SERVER_TIMEOUTS)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`Can't use the database ${withoutPassword(address)}. ${databaseAdvice(error)}`)
  }
}

/**
 * Opens a database for a command, while servers may use it. Creates and migrates nothing. So a database user with only
 * SELECT rights can run the commands that only read.
 */
export async function openForCommand(address: DatabaseLocation): Promise<Database> {
  if (address.kind === 'sqlite' && !existsSync(address.file)) {
    throw new UserError(`There is no database ${address.file}: give DATABASE_URL the value that it has for the server.`)
  }
  showStep('Waiting for the database')
  const database = open(address, COMMAND_TIMEOUTS)
  try {
    if ((await database.run(schemaVersion)) >= MIGRATIONS.length) return database
    throw new UserError(
      `${withoutPassword(address)} lacks tables of this release: give DATABASE_URL the value that it has for the server, and start the server once, which makes the tables.`,
    )
  } catch (error) {
    await database.close()
    throw error
  }
}

export async function withDatabase<Answer>(address: DatabaseLocation, statements: (db: Db) => Promise<Answer>) {
  const database = await openForCommand(address)
  return database.run(statements).finally(() => database.close())
}
