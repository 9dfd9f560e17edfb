import { constants, statSync } from 'node:fs'
import { sql } from 'kysely'
import { settingsOf } from '../setting-names.ts'
import type { Timeouts } from '../storage/database.ts'
import { type DatabaseAddress, readDatabaseUrl, redactedUrl } from '../storage/database-url.ts'
import { MIGRATIONS, schemaVersion } from '../storage/migrations.ts'
import { openPostgres } from '../storage/postgres.ts'
import { isForbidden, openSqlite, unwritablePath } from '../storage/sqlite.ts'
import { UserError } from '../user-error.ts'
import type { Db } from './rows.ts'

/** How long a command waits: longer than a server, because no visitor waits for it. */
const TIMEOUTS: Timeouts = { lockMs: 10_000, connectionMs: 10_000, statementMs: 600_000 }

export const configuredDatabase = () => readDatabaseUrl(settingsOf(process.env))

/**
 * Opens the configured database, beside any servers, and creates or migrates nothing. Work that only reads needs no
 * permission to write; a missing one is told before anybody is asked to confirm.
 */
export async function withLeads<Answer>(access: 'read' | 'write', work: (db: Db) => Promise<Answer>): Promise<Answer> {
  const address = configuredDatabase()
  const name = redactedUrl(address)
  if (address.kind === 'sqlite') {
    if (isForbidden(address.file, constants.R_OK)) {
      throw new UserError(`You may not read ${name}: run this as root, or join its group.`)
    }
    if (!isFile(address.file))
      throw new UserError(`There is no database ${name}: set DATABASE_URL to that of the server.`)
  }
  const database =
    address.kind === 'postgres'
      ? openPostgres(address.url, TIMEOUTS)
      : openSqlite(address.file, TIMEOUTS.lockMs, unwritablePath(address.file) !== null)
  const answer = database.run(async (db) => {
    const version = await schemaVersion(db)
    if (version === 0) throw new UserError(`There are no leads in ${name}: set DATABASE_URL to that of the server.`)
    if (version < MIGRATIONS.length) {
      throw new UserError(`The tables of ${name} are older than this release: start its server, which migrates them.`)
    }
    if (access === 'read' || (await mayWrite(address, db))) return work(db)
    throw new UserError(`You may only read ${name}: run this as root.`)
  })
  return answer.finally(() => database.close())
}

async function mayWrite(address: DatabaseAddress, db: Db): Promise<boolean> {
  if (address.kind === 'sqlite') return unwritablePath(address.file) === null
  const { rows } = await sql<{ may: boolean }>`select has_table_privilege('subscribers', 'delete') as may`.execute(db)
  return rows[0]?.may === true
}

export const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true
