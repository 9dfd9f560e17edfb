import { constants, statSync } from 'node:fs'
import { sql } from 'kysely'
import { settingsOf } from '../setting-names.ts'
import type { Database, Timeouts } from '../storage/database.ts'
import { readDatabaseUrl, redactedUrl } from '../storage/database-url.ts'
import { MIGRATIONS, schemaVersion } from '../storage/migrations.ts'
import { openPostgres } from '../storage/postgres.ts'
import { isForbidden, openSqlite, unwritablePath } from '../storage/sqlite.ts'
import { UserError } from '../user-error.ts'
import type { Db } from './rows.ts'

type Access = 'read' | 'write'

/** How long a command waits: longer than a server, because no visitor waits for it. */
const TIMEOUTS: Timeouts = { lockMs: 10_000, connectionMs: 10_000, statementMs: 600_000 }

export const configuredDatabase = () => readDatabaseUrl(settingsOf(process.env))

/**
 * Opens the configured database while servers may use it. Creates and migrates nothing. Work that only reads needs no
 * permission to write. A missing permission is an error before any question to the user.
 */
export async function withLeads<Answer>(access: Access, work: (db: Db) => Promise<Answer>): Promise<Answer> {
  const address = configuredDatabase()
  const name = redactedUrl(address)
  const database = address.kind === 'postgres' ? openPostgres(address.url, TIMEOUTS) : openFile(address.file, access)
  const answer = database.run(async (db) => {
    const version = await schemaVersion(db)
    if (version === 0) throw new UserError(`There are no leads in ${name}: set DATABASE_URL to that of the server.`)
    if (version < MIGRATIONS.length) {
      throw new UserError(`The tables of ${name} are older than this release: start its server, which migrates them.`)
    }
    if (access === 'write' && address.kind === 'postgres' && !(await mayDelete(db))) {
      throw new UserError(`The role of DATABASE_URL may only read ${name}: run this as root.`)
    }
    return work(db)
  })
  return answer.finally(() => database.close())
}

function openFile(file: string, access: Access): Database {
  const unreadable = [file, `${file}-journal`].find((path) => isForbidden(path, constants.R_OK))
  if (unreadable) throw new UserError(`You may not read ${unreadable}: run this as root, or join its group.`)
  if (!isFile(file)) throw new UserError(`There is no database ${file}: set DATABASE_URL to that of the server.`)
  const unwritable = unwritablePath(file)
  if (unwritable && access === 'write') throw new UserError(`You may not write ${unwritable}: run this as root.`)
  return openSqlite(file, TIMEOUTS.lockMs, unwritable !== null)
}

async function mayDelete(db: Db): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select has_table_privilege('subscribers', 'delete') as may`.execute(db)
  return rows[0]?.may === true
}

export const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true
