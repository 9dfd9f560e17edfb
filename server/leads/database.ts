import { statSync } from 'node:fs'
import { SqliteAdapter } from 'kysely'
import type { Timeouts } from '../storage/database.ts'
import { type DatabaseAddress, readDatabaseUrl, redactedUrl } from '../storage/database-url.ts'
import { readSchemaState } from '../storage/migrations.ts'
import { migratePostgres, openPostgres } from '../storage/postgres.ts'
import { openSqlite } from '../storage/sqlite.ts'
import { UserError } from '../user-error.ts'
import type { Db } from './rows.ts'

/** Longer than a server's: no visitor waits. */
export const TIMEOUTS: Timeouts = { lockMs: 10_000, connectionMs: 10_000, statementMs: 600_000 }

type Postgres = Extract<DatabaseAddress, { kind: 'postgres' }>

type Work<Answer> = (db: Db) => Promise<Answer>

export const configuredDatabase = () => readDatabaseUrl(process.env)

export const withLeads = <Answer>(work: Work<Answer>) =>
  withDatabase(configuredDatabase(), 'set DATABASE_URL to that of the server', work)

/** Opens a database with leads, beside any servers that use it. Creates and migrates nothing; `hint` says what to name. */
export async function withDatabase<Answer>(
  address: DatabaseAddress,
  hint: string,
  work: Work<Answer>,
): Promise<Answer> {
  const name = redactedUrl(address)
  if (address.kind === 'sqlite' && !isFile(address.file)) {
    throw new UserError(`There is no database ${name}: ${hint}.`)
  }
  const database = open(address)
  const answer = database.run(async (db) => {
    const state = await readSchemaState(db)
    if (state === 'absent') throw new UserError(`There are no leads in ${name}: ${hint}.`)
    if (state === 'current') return work(db)
    const remedy = state === 'older' ? 'start its server, which migrates them, or ' : ''
    throw new UserError(
      `The tables of ${name} are ${state} than this release: ${remedy}use the "leads" of the server's release.`,
    )
  })
  return answer.finally(() => database.close())
}

/** Opens a PostgreSQL database to insert rows: if it is empty, it gets the tables of this release. */
export async function withNewPostgres<Answer>(address: Postgres, work: Work<Answer>): Promise<Answer> {
  const database = open(address)
  const state = await database.run(readSchemaState).finally(() => database.close())
  if (state === 'absent') await migratePostgres(address.url)
  return withDatabase(address, 'name an empty one in DATABASE_URL', work)
}

const open = (address: DatabaseAddress) =>
  address.kind === 'postgres' ? openPostgres(address.url, TIMEOUTS) : openSqlite(address.file, TIMEOUTS.lockMs)

/** The command that backs up a PostgreSQL database; it asks for the password. */
export function pgDumpCommand(address: Postgres, file: string): string {
  const url = new URL(address.url)
  url.password = ''
  url.searchParams.delete('password')
  return `pg_dump --format=custom --file='${file}' '${url.href}'`
}

export const isSqlite = (db: Db) => db.getExecutor().adapter instanceof SqliteAdapter

export const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true
