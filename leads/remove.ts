import { setTimeout } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Database, type Tables, UnusableDatabase } from '../server/storage/database.ts'
import { describeDatabaseError } from '../server/storage/database-errors.ts'
import { UserError } from '../server/user-error.ts'
import { countRows, inSnapshot, KINDS, type Kind, PAGE, pages } from './database.ts'
import { printStatus, progress } from './progress.ts'

type Ids = Readonly<Record<Kind, readonly number[]>>

/** Compares in this process, because each database folds case differently. */
export const findIds = (database: Database, matches: (row: { email: string; created_at: string }) => boolean) =>
  inSnapshot(database, async (db): Promise<Ids> => {
    const ids: Record<Kind, number[]> = { subscribers: [], enquiries: [] }
    for (const kind of KINDS) {
      const report = progress(`Reading ${kind}`, await countRows(db, kind))
      let done = 0
      for await (const page of pages(db, kind)) {
        ids[kind].push(...page.filter(matches).map(({ id }) => id))
        done += page.length
        report(done)
      }
    }
    return ids
  })

/**
 * Deletes rows and their notifications, and prints how many, even if it fails halfway. A SQLite file keeps their text
 * until `vacuum`, and is marked so.
 */
export async function removeRows(database: Database, ids: Ids, isFile: boolean): Promise<void> {
  const removed = { subscribers: 0, enquiries: 0, notifications: 0 }
  try {
    for (const kind of KINDS) {
      const report = progress(`Removing ${kind}`, ids[kind].length)
      for (let done = 0; done < ids[kind].length; report(done)) {
        const some = ids[kind].slice(done, done + PAGE)
        const [rows, events] = await database.run((db) =>
          db.transaction().execute(async (tables) => {
            if (isFile) await sql`pragma user_version = 1`.execute(tables)
            else await lockRows(tables, kind, some)
            return [
              await tables.deleteFrom(kind).where('id', 'in', some).executeTakeFirst(),
              await tables
                .deleteFrom('outbox')
                .where('kind', '=', kind === 'enquiries' ? 'enquiry' : 'subscription')
                .where('lead_id', 'in', some)
                .executeTakeFirst(),
            ]
          }),
        )
        removed[kind] += Number(rows?.numDeletedRows)
        removed.notifications += Number(events?.numDeletedRows)
        done += some.length
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
async function lockRows(db: Kysely<Tables>, kind: Kind, ids: readonly number[]) {
  await db
    .selectFrom<Kind>(kind)
    .select('id')
    .where('id', 'in', ids)
    .orderBy(sql`${sql.ref(kind === 'enquiries' ? 'idempotency_key' : 'email_key')} collate "C"`)
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
