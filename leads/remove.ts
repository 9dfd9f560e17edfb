import { setTimeout } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { StartError } from '../server/configuration.ts'
import { type Database, type Tables, UnusableDatabase } from '../server/storage/database.ts'
import { databaseFault } from '../server/storage/database-fault.ts'
import { countRows, inSnapshot, KINDS, type Kind, PAGE, pages } from './leads.ts'
import { progress, say } from './progress.ts'

type Ids = Readonly<Record<Kind, readonly number[]>>

/** Looks at every row here, for databases fold case each in its own way. */
export const findIds = (database: Database, matches: (row: { email: string; created_at: string }) => boolean) =>
  inSnapshot(database, async (db): Promise<Ids> => {
    const ids: Record<Kind, number[]> = { subscribers: [], enquiries: [] }
    for (const kind of KINDS) {
      const tell = progress(`Reading ${kind}`, await countRows(db, kind))
      let done = 0
      for await (const page of pages(db, kind)) {
        ids[kind].push(...page.filter(matches).map(({ id }) => id))
        done += page.length
        tell(done)
      }
    }
    return ids
  })

/**
 * Removes rows and what the outbox holds about them; says how many went, also where it fails in the middle. In a SQLite
 * file their text is left until `scrub`, and a mark that it is.
 */
export async function removeRows(database: Database, ids: Ids, isFile: boolean): Promise<void> {
  const removed = { subscribers: 0, enquiries: 0, notifications: 0 }
  try {
    for (const kind of KINDS) {
      const tell = progress(`Removing ${kind}`, ids[kind].length)
      for (let done = 0; done < ids[kind].length; tell(done)) {
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
        // A server beside gets the lock of a SQLite file in between.
        await setTimeout(20)
      }
    }
  } finally {
    const { subscribers, enquiries, notifications } = removed
    say(`Removed: ${subscribers} subscribers, ${enquiries} enquiries, ${notifications} notifications about them.`)
  }
}

/** Takes rows of PostgreSQL in the order in which servers take them: two that wait for each other in a circle fail. */
async function lockRows(db: Kysely<Tables>, kind: Kind, ids: readonly number[]) {
  await db
    .selectFrom<Kind>(kind)
    .select('id')
    .where('id', 'in', ids)
    .orderBy(sql`${sql.ref(kind === 'enquiries' ? 'idempotency_key' : 'email_key')} collate "C"`)
    .forUpdate()
    .execute()
  // Servers take notifications in no order of ours. After the rows: a server that has this waits for none of them.
  await sql`lock table outbox in share row exclusive mode`.execute(db)
}

/**
 * Writes a SQLite file anew and empties its log, if rows were removed since it was last done. Overwriting what is deleted
 * would not do: pages of an index keep copies of rows that once stood there.
 */
export async function scrub(database: Database) {
  const { rows } = await database.run((db) => sql<{ user_version: number }>`pragma user_version`.execute(db))
  if (rows[0]?.user_version === 0) return
  try {
    await database.run((db) => sql`vacuum`.execute(db))
    await emptyLog(database)
    await database.run((db) => sql`pragma user_version = 0`.execute(db))
  } catch (error) {
    // Gives back the room that the attempt took.
    await emptyLog(database).catch(() => {})
    throw new StartError(
      `The text of what was removed is still in the file. ${databaseFault(error)} Then run the same command again.`,
    )
  }
}

async function emptyLog(database: Database) {
  const { rows } = await database.run((db) => sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db))
  if (rows[0]?.busy !== 0) throw new UnusableDatabase('Another program still reads the old file: wait until it ends.')
}
