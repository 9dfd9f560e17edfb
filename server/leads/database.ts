import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { SqliteAdapter, sql } from 'kysely'
import type { Timeouts } from '../storage/database.ts'
import { type DatabaseAddress, readDatabaseUrl, redactedUrl } from '../storage/database-url.ts'
import { readSchemaState } from '../storage/migrations.ts'
import { migratePostgres, openPostgres } from '../storage/postgres.ts'
import { openSqlite, openSqliteReadonly } from '../storage/sqlite.ts'
import { UserError } from '../user-error.ts'
import type { Db } from './rows.ts'

/** How long a command waits: longer than a server, because no visitor waits for it. */
export const TIMEOUTS: Timeouts = { lockMs: 10_000, connectionMs: 10_000, statementMs: 600_000 }

type Postgres = Extract<DatabaseAddress, { kind: 'postgres' }>

type Work<Answer> = (db: Db) => Promise<Answer>

/** What a command does with the rows. One that reads needs no permission to write. */
export type Access = 'read' | 'write'

export const configuredDatabase = () => readDatabaseUrl(process.env)

export const withLeads = <Answer>(access: Access, work: Work<Answer>) =>
  withDatabase(configuredDatabase(), access, 'set DATABASE_URL to that of the server', work)

/** Opens a database with leads, beside any servers, and creates or migrates nothing. `hint` says what to name. */
export async function withDatabase<Answer>(
  address: DatabaseAddress,
  access: Access,
  hint: string,
  work: Work<Answer>,
): Promise<Answer> {
  const name = redactedUrl(address)
  if (address.kind === 'sqlite') {
    if (isForbidden(address.file, constants.R_OK)) {
      throw new UserError(`You may not read ${name}: run this as root, or join its group.`)
    }
    if (!isFile(address.file)) throw new UserError(`There is no database ${name}: ${hint}.`)
  }
  const database = open(address)
  const answer = database.run(async (db) => {
    const state = await readSchemaState(db)
    if (state === 'absent') throw new UserError(`There are no leads in ${name}: ${hint}.`)
    if (state === 'current') {
      if (access === 'read' || (await mayWrite(address, db))) return work(db)
      throw new UserError(`You may only read ${name}: run this as root.`)
    }
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
  return withDatabase(address, 'write', 'name an empty one in DATABASE_URL', work)
}

function open(address: DatabaseAddress) {
  if (address.kind === 'postgres') return openPostgres(address.url, TIMEOUTS)
  return (mayWriteFile(address.file) ? openSqlite : openSqliteReadonly)(address.file, TIMEOUTS.lockMs)
}

/** Whether the command may write, which is found out before anybody is asked for confirmation. */
async function mayWrite(address: DatabaseAddress, db: Db): Promise<boolean> {
  if (address.kind === 'sqlite') return mayWriteFile(address.file)
  const { rows } = await sql<{ may: boolean }>`select has_table_privilege('subscribers', 'delete') as may`.execute(db)
  return rows[0]?.may === true
}

/** Whether the file may be written, and its folder, which gets the journal. SQLite itself tells of a read-only disk. */
const mayWriteFile = (file: string) =>
  [file, dirname(realpathSync(file))].every((path) => !isForbidden(path, constants.W_OK))

function isForbidden(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES'
  }
}

/** The command that backs up a PostgreSQL database; it asks for the password. */
export function pgDumpCommand(address: Postgres, file: string): string {
  const url = new URL(address.url)
  url.password = ''
  url.searchParams.delete('password')
  return `pg_dump --format=custom --file='${file}' '${url.href}'`
}

export const isSqlite = (db: Db) => db.getExecutor().adapter instanceof SqliteAdapter

export const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true
