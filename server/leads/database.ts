import { statSync } from 'node:fs'
import SqliteFile from 'better-sqlite3'
import { SqliteAdapter } from 'kysely'
import type { Timeouts } from '../storage/database.ts'
import { type DatabaseAddress, readDatabaseUrl, redactedUrl } from '../storage/database-url.ts'
import { readSchemaState } from '../storage/migrations.ts'
import { migratePostgres, openPostgres } from '../storage/postgres.ts'
import { openSqlite } from '../storage/sqlite.ts'
import { UserError } from '../user-error.ts'
import type { Db } from './rows.ts'

/** Longer than a server's: no visitor waits. */
const TIMEOUTS: Timeouts = { lockMs: 10_000, connectionMs: 10_000, statementMs: 600_000 }

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
  if (state === 'absent') await migratePostgres(address.hosts)
  return withDatabase(address, 'name an empty one in DATABASE_URL', work)
}

/** To write even where a command only reads, since what a killed server has not committed is undone first. */
const open = (address: DatabaseAddress) =>
  address.kind === 'postgres'
    ? openPostgres(address.hosts, TIMEOUTS)
    : openSqlite(address.file, 'write', TIMEOUTS.lockMs)

/** Copies a file while servers write to it: in one step, since one of many begins anew after each of their commits. */
export async function backupSqlite(file: string, target: string) {
  const sqlite = new SqliteFile(file, { timeout: TIMEOUTS.lockMs, fileMustExist: true })
  try {
    const { totalPages } = await sqlite.backup(target, { progress: () => 2 ** 31 - 1 })
    // That is how the library reports a file that stays locked.
    if (totalPages === 0) throw new UserError(`${file} is locked by another program: try again when that has ended.`)
  } finally {
    sqlite.close()
  }
  // The copy of a file in use is not in use itself, and needs no log.
  const copy = new SqliteFile(target)
  copy.pragma('journal_mode = DELETE')
  copy.pragma('application_id = 0')
  copy.close()
}

/** The command that backs up a PostgreSQL database; it asks for the password. */
export function pgDumpCommand({ hosts }: Postgres, file: string): string {
  const url = new URL(hosts.urls[0])
  url.password = ''
  url.searchParams.delete('password')
  return `pg_dump --format=custom --file='${file}' '${url.href}'`
}

export const isSqlite = (db: Db) => db.getExecutor().adapter instanceof SqliteAdapter

export const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true
