import { setTimeout } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Database, type Tables, UnusableDatabase } from '../server/storage/database.ts'
import { describeDatabaseError } from '../server/storage/database-errors.ts'
import { normalizeEmail } from '../server/storage/sql-store.ts'
import { UserError } from '../server/user-error.ts'
import { printStatus, progress } from './progress.ts'
import { inSnapshot, isSqlite, LEADS, type LeadTable, PAGE_SIZE } from './rows.ts'

export type Ids = Readonly<Record<LeadTable, readonly number[]>>

/** The ids of the leads that came from any spelling of an address. */
export const findByEmail = (database: Database, email: string) =>
  // Addresses are ASCII, which a PostgreSQL database may fold by the rules of its own language.
  findIds(
    database,
    (db) => sql`lower(${isSqlite(db) ? sql`email` : sql`email collate "C"`}) = ${normalizeEmail(email)}`,
  )

export const findOlder = (database: Database, time: string) => findIds(database, () => sql`created_at < ${time}`)

const findIds = (database: Database, condition: (db: Kysely<Tables>) => RawBuilder<boolean>) =>
  inSnapshot(database, async (db): Promise<Ids> => {
    const idsIn = async (table: LeadTable) => {
      const rows = await db.selectFrom<LeadTable>(table).select('id').where(condition(db)).orderBy('id').execute()
      return rows.map(({ id }) => id)
    }
    return { subscribers: await idsIn('subscribers'), enquiries: await idsIn('enquiries') }
  })

/**
 * Deletes rows and their notifications, and prints how many, even if it fails halfway. A SQLite file keeps their text
 * until `vacuum`, and is marked so.
 */
export async function removeRows(database: Database, ids: Ids): Promise<void> {
  const removed = { subscribers: 0, enquiries: 0, notifications: 0 }
  try {
    for (const { kind, table, key } of LEADS) {
      const report = progress(`Removing ${table}`, ids[table].length)
      for (let done = 0; done < ids[table].length; report(done)) {
        const batch = ids[table].slice(done, done + PAGE_SIZE)
        const [rows, events] = await database.run((db) =>
          db.transaction().execute(async (tables) => {
            if (isSqlite(tables)) await sql`pragma user_version = 1`.execute(tables)
            else await lockRows(tables, table, key, batch)
            return [
              await tables.deleteFrom(table).where('id', 'in', batch).executeTakeFirst(),
              await tables
                .deleteFrom('outbox')
                .where('kind', '=', kind)
                .where('lead_id', 'in', batch)
                .executeTakeFirst(),
            ]
          }),
        )
        removed[table] += Number(rows?.numDeletedRows)
        removed.notifications += Number(events?.numDeletedRows)
        done += batch.length
        // Gives a running server a chance to lock the SQLite file.
        await setTimeout(20)
      }
    }
  } finally {
    const { subscribers, enquiries, notifications } = removed
    printStatus(
      `Removed: ${subscribers} subscribers, ${enquiries} enquiries, ${notifications} notifications about them.`,
    )
  }
}

/** Locks rows of PostgreSQL in the order in which servers do, so that they can't deadlock. */
async function lockRows(db: Kysely<Tables>, table: LeadTable, key: string, ids: readonly number[]) {
  await db
    .selectFrom<LeadTable>(table)
    .select('id')
    .where('id', 'in', ids)
    .orderBy(sql`${sql.ref(key)} collate "C"`)
    .forUpdate()
    .execute()
  // Servers lock notifications in any order, but never wait for a lead's row while they hold one.
  await sql`lock table outbox in share row exclusive mode`.execute(db)
}

/**
 * Rewrites a SQLite file and empties its log, if rows were deleted since the last time. Overwriting deleted rows would not
 * be enough: index pages keep copies of earlier ones.
 */
export async function vacuum(database: Database) {
  const { rows } = await database.run((db) => sql<{ user_version: number }>`pragma user_version`.execute(db))
  if (rows[0]?.user_version === 0) return
  try {
    await database.run((db) => sql`vacuum`.execute(db))
    await emptyLog(database)
    await database.run((db) => sql`pragma user_version = 0`.execute(db))
  } catch (error) {
    // Frees the space that the attempt took.
    await emptyLog(database).catch(() => {})
    throw new UserError(
      `The text of what was removed is still in the file. ${describeDatabaseError(error)} Then run the same command again.`,
    )
  }
}

async function emptyLog(database: Database) {
  const { rows } = await database.run((db) => sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db))
  if (rows[0]?.busy !== 0) throw new UnusableDatabase('Another program still reads the old data: wait until it ends.')
}
