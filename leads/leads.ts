import { statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import SqliteFile from 'better-sqlite3'
import type { Kysely, Selectable } from 'kysely'
import { type DatabaseAddress, StartError } from '../server/configuration.ts'
import type { Database, Patience, Tables } from '../server/storage/database.ts'
import { readSchemaState } from '../server/storage/migrations.ts'
import { failFor, nameOf } from '../server/storage/open-database.ts'
import { migratePostgres, openPostgres } from '../server/storage/postgres.ts'
import type { Hosts } from '../server/storage/postgres-hosts.ts'
import { makeSqlite, openSqlite } from '../server/storage/sqlite.ts'
import { assertNoOrphans } from '../server/storage/sqlite-loss.ts'

export const KINDS = ['subscribers', 'enquiries'] as const

export type Kind = (typeof KINDS)[number]

/** What can't be made anew. */
export type Table = Kind | 'outbox'

/** Nobody waits but who asked. */
const PATIENCE: Patience = { lock: 10_000, connection: 10_000, statement: 600_000 }

/** Rows of one statement: within the parameters that SQLite takes, and little memory. */
export const PAGE = 1000

/** Where a database is named that may be made. */
export type Named = 'DATABASE_URL' | '--to' | 'the command'

type Access = {
  /** What is enough for SQLite: a file that can't be written is read all the same. */
  readonly access: 'read' | 'write'
  /** Whether the tables of an earlier release will do. */
  readonly older?: boolean
  /** What to do where there are no leads. */
  readonly instead?: string
}

/** Lends a database with leads beside whatever servers use it. Makes and migrates nothing. */
export async function withDatabase<Answer>(
  address: DatabaseAddress,
  { access, older = false, instead = 'name the one that the server uses in DATABASE_URL' }: Access,
  work: (database: Database) => Promise<Answer>,
): Promise<Answer> {
  const name = nameOf(address)
  const noLeads = new StartError(`There are no leads in ${name}: ${instead}.`)
  if (address.kind === 'sqlite' && !isFile(address.file)) {
    assertNoOrphans(address.file)
    throw new StartError(`There is no database ${name}: ${instead}.`)
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

/** Lends a database to put rows into; one that is not there, or has no tables yet, gets those of this release. */
export async function withNewDatabase<Answer>(
  address: DatabaseAddress,
  named: Named,
  work: (database: Database) => Promise<Answer>,
): Promise<Answer> {
  if (address.kind === 'postgres') await migrateIfEmpty(address.hosts)
  else if (!isFile(address.file) || statSync(address.file).size === 0) {
    await makeSqlite(address.file, PATIENCE.lock).catch(failFor(address.file, named))
  }
  return withDatabase(address, { access: 'write', instead: `name an empty one in ${named}` }, work)
}

async function migrateIfEmpty(hosts: Hosts) {
  const database = openPostgres(hosts, PATIENCE)
  const state = await database.run(readSchemaState).finally(() => database.close())
  if (state === 'absent') await migratePostgres(hosts)
}

const open = (address: DatabaseAddress, access: Access['access']) =>
  address.kind === 'postgres' ? openPostgres(address.hosts, PATIENCE) : openSqlite(address.file, access, PATIENCE.lock)

const wrongRelease = (name: string, state: 'older' | 'newer') =>
  new StartError(
    state === 'older'
      ? `The tables of ${name} are older than this release: start its server, which updates them, or use the "leads" of the release that it runs.`
      : `The tables of ${name} are newer than this release: use the "leads" of the release that its server runs.`,
  )

export const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Runs statements that all see the rows of one moment, whatever a server adds meanwhile. */
export const inSnapshot = <Answer>(database: Database, statements: (db: Kysely<Tables>) => Promise<Answer>) =>
  database.run((db) => db.transaction().setIsolationLevel('repeatable read').execute(statements))

/** The rows from a time on, a page at a time, in the order of their numbers. */
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
    // The compiler knows no more than that the table is one of them.
    yield page as Selectable<Tables[Name]>[]
    // SQLite answers without a pause, and signals would not be heard.
    await setImmediate()
  }
}

export async function countRows(db: Kysely<Tables>, table: Table, since = ''): Promise<number> {
  const counted = db.selectFrom<Table>(table).select((rows) => rows.fn.countAll<number>().as('count'))
  return (await counted.where('created_at', '>=', since).executeTakeFirstOrThrow()).count
}
