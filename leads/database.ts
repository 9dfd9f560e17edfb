import { statSync } from 'node:fs'
import SqliteFile from 'better-sqlite3'
import type { Database, Timeouts } from '../server/storage/database.ts'
import { type DatabaseAddress, readDatabaseUrl, redactedUrl } from '../server/storage/database-url.ts'
import { readSchemaState } from '../server/storage/migrations.ts'
import { throwUnusable } from '../server/storage/open-database.ts'
import { migratePostgres, openPostgres } from '../server/storage/postgres.ts'
import { makeSqlite, openSqlite } from '../server/storage/sqlite.ts'
import { UserError } from '../server/user-error.ts'

/** Longer than a server's: no visitor waits. */
const TIMEOUTS: Timeouts = { lockMs: 10_000, connectionMs: 10_000, statementMs: 600_000 }

/** What names a database that may be created. */
export type SettingName = 'DATABASE_URL' | 'the command'

type Access = {
  /** For SQLite: a file that can't be written can still be read. */
  readonly access: 'read' | 'write'
  /** Whether the tables of an earlier release are accepted. */
  readonly allowOlder?: boolean
  /** What to do if there are no leads. */
  readonly hint?: string | undefined
}

export const configuredDatabase = () => readDatabaseUrl(process.env)

export const readLeads = <Answer>(work: (database: Database) => Promise<Answer>) =>
  withDatabase(configuredDatabase(), { access: 'read' }, work)

export const changeLeads = <Answer>(work: (database: Database) => Promise<Answer>) =>
  withDatabase(configuredDatabase(), { access: 'write' }, work)

/** Opens a database with leads, beside any servers that use it. Creates and migrates nothing. */
export async function withDatabase<Answer>(
  address: DatabaseAddress,
  { access, allowOlder = false, hint = 'set DATABASE_URL to that of the server' }: Access,
  work: (database: Database) => Promise<Answer>,
): Promise<Answer> {
  const name = redactedUrl(address)
  const noLeads = new UserError(`There are no leads in ${name}: ${hint}.`)
  if (address.kind === 'sqlite' && !isFile(address.file)) {
    throw new UserError(`There is no database ${name}: ${hint}.`)
  }
  let database: Database | null = null
  try {
    database = open(address, access)
    const state = await database.run(readSchemaState)
    if (state === 'absent') throw noLeads
    if (state === 'newer' || (state === 'older' && !allowOlder)) throw wrongRelease(name, state)
    return await work(database)
  } catch (error) {
    throw error instanceof SqliteFile.SqliteError && error.code === 'SQLITE_NOTADB' ? noLeads : error
  } finally {
    await database?.close()
  }
}

/** Opens a database to insert rows; one that is missing or empty is created with the tables of this release. */
export async function withNewDatabase<Answer>(
  address: DatabaseAddress,
  settingName: SettingName,
  work: (database: Database) => Promise<Answer>,
): Promise<Answer> {
  if (address.kind === 'postgres') await migrateIfEmpty(address.url)
  else if (!isFile(address.file) || statSync(address.file).size === 0) {
    await makeSqlite(address.file, TIMEOUTS.lockMs).catch(throwUnusable(address.file, settingName))
  }
  return withDatabase(address, { access: 'write', hint: `name an empty one in ${settingName}` }, work)
}

async function migrateIfEmpty(url: string) {
  const database = openPostgres(url, TIMEOUTS)
  const state = await database.run(readSchemaState).finally(() => database.close())
  if (state === 'absent') await migratePostgres(url)
}

const open = (address: DatabaseAddress, access: Access['access']): Database =>
  address.kind === 'postgres' ? openPostgres(address.url, TIMEOUTS) : openSqlite(address.file, access, TIMEOUTS.lockMs)

const wrongRelease = (name: string, state: 'older' | 'newer') =>
  new UserError(
    state === 'older'
      ? `The tables of ${name} are older than this release: start its server, which migrates them, or use the "leads" of the server's release.`
      : `The tables of ${name} are newer than this release: use the "leads" of the server's release.`,
  )

export const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true
