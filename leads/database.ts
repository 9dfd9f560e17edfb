import { statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import SqliteFile from 'better-sqlite3'
import type { Kysely, Selectable } from 'kysely'
import type { Database, Tables, Timeouts } from '../server/storage/database.ts'
import { type DatabaseAddress, redactedUrl } from '../server/storage/database-url.ts'
import { refuseLogWithoutFile, refuseMarked, removeMarker } from '../server/storage/loss-marker.ts'
import { readSchemaState } from '../server/storage/migrations.ts'
import { throwUnusable } from '../server/storage/open-database.ts'
import { migratePostgres, openPostgres } from '../server/storage/postgres.ts'
import type { Hosts } from '../server/storage/postgres-hosts.ts'
import { makeSqlite, openSqlite } from '../server/storage/sqlite.ts'
import { readSqlite } from '../server/storage/sqlite-reader.ts'
import { UserError } from '../server/user-error.ts'

export const KINDS = ['subscribers', 'enquiries'] as const

export type Kind = (typeof KINDS)[number]

/** The tables that hold data. */
export type Table = Kind | 'outbox'

/** Longer than a server's: no visitor waits. */
const TIMEOUTS: Timeouts = { lockMs: 10_000, connectionMs: 10_000, statementMs: 600_000 }

/** Rows of one statement: few enough for SQLite's parameters, and for memory. */
export const PAGE = 1000

/** What names a database that may be created. */
export type SettingName = 'DATABASE_URL' | '--to' | 'the command'

type Access = {
  /** For SQLite: a file that can't be written can still be read. */
  readonly access: 'read' | 'write'
  /** Whether the tables of an earlier release are accepted. */
  readonly older?: boolean
  /** What to do if there are no leads. */
  readonly instead?: string
}

/** Opens a database with leads, beside any servers that use it. Creates and migrates nothing. */
export async function withDatabase<Answer>(
  address: DatabaseAddress,
  access: Access,
  work: (database: Database) => Promise<Answer>,
): Promise<Answer> {
  if (address.kind === 'sqlite') refuseMarked(address.file)
  return openDatabase(address, access, work)
}

async function openDatabase<Answer>(
  address: DatabaseAddress,
  { access, older = false, instead = 'set DATABASE_URL to that of the server' }: Access,
  work: (database: Database) => Promise<Answer>,
): Promise<Answer> {
  const name = redactedUrl(address)
  const noLeads = new UserError(`There are no leads in ${name}: ${instead}.`)
  if (address.kind === 'sqlite' && !isFile(address.file)) {
    refuseLogWithoutFile(address.file)
    throw new UserError(`There is no database ${name}: ${instead}.`)
  }
  let database: Database | null = null
  try {
    database = open(address, access)
    const state = await database.run(readSchemaState)
    if (state === 'absent') throw noLeads
    if (state === 'newer' || (state === 'older' && !older)) throw wrongRelease(name, state)
    return await work(database)
  } catch (error) {
    throw error instanceof SqliteFile.SqliteError && error.code === 'SQLITE_NOTADB' ? noLeads : error
  } finally {
    await database?.close()
  }
}

/**
 * Opens a database to insert rows; one that is missing or empty is created with the tables of this release. A file that a
 * server has lost counts as recovered once all rows are there.
 */
export async function withNewDatabase<Answer>(
  address: DatabaseAddress,
  settingName: SettingName,
  work: (database: Database) => Promise<Answer>,
): Promise<Answer> {
  if (address.kind === 'postgres') await migrateIfEmpty(address.hosts)
  else if (!isFile(address.file) || statSync(address.file).size === 0) {
    refuseLogWithoutFile(address.file)
    await makeSqlite(address.file, TIMEOUTS.lockMs).catch(throwUnusable(address.file, settingName))
  }
  const answer = await openDatabase(address, { access: 'write', instead: `name an empty one in ${settingName}` }, work)
  if (address.kind === 'sqlite') removeMarker(address.file)
  return answer
}

async function migrateIfEmpty(hosts: Hosts) {
  const database = openPostgres(hosts, TIMEOUTS)
  const state = await database.run(readSchemaState).finally(() => database.close())
  if (state === 'absent') await migratePostgres(hosts)
}

function open(address: DatabaseAddress, access: Access['access']): Database {
  if (address.kind === 'postgres') return openPostgres(address.hosts, TIMEOUTS)
  return (access === 'read' ? readSqlite : openSqlite)(address.file, TIMEOUTS.lockMs)
}

const wrongRelease = (name: string, state: 'older' | 'newer') =>
  new UserError(
    state === 'older'
      ? `The tables of ${name} are older than this release: start its server, which migrates them, or use the "leads" of the server's release.`
      : `The tables of ${name} are newer than this release: use the "leads" of the server's release.`,
  )

export const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Runs statements on one snapshot of the rows, whatever a server adds meanwhile. */
export const inSnapshot = <Answer>(database: Database, statements: (db: Kysely<Tables>) => Promise<Answer>) =>
  database.run((db) => db.transaction().setIsolationLevel('repeatable read').execute(statements))

/** The rows since a time, page by page, in the order of their ids. */
export async function* pages<Name extends Table>(db: Kysely<Tables>, table: Name, since = '', newestFirst = false) {
  let last = newestFirst ? Number.MAX_SAFE_INTEGER : 0
  for (;;) {
    const page = await db
      .selectFrom<Table>(table)
      .selectAll()
      .where('id', newestFirst ? '<' : '>', last)
      .where('created_at', '>=', since)
      .orderBy('id', newestFirst ? 'desc' : 'asc')
      .limit(PAGE)
      .execute()
    if (page.length === 0) return
    last = page.at(-1)?.id ?? last
    // The compiler does not connect the rows with the name of the table.
    yield page as Selectable<Tables[Name]>[]
    // SQLite is synchronous: signals are handled between the pages.
    await setImmediate()
  }
}

export async function countRows(db: Kysely<Tables>, table: Table, since = ''): Promise<number> {
  const counted = db.selectFrom<Table>(table).select((rows) => rows.fn.countAll<number>().as('count'))
  return (await counted.where('created_at', '>=', since).executeTakeFirstOrThrow()).count
}
