import { sql } from 'kysely'
import { isSqlite } from '../storage/database.ts'
import { describeDatabaseError } from '../storage/database-errors.ts'
import { UserError } from '../user-error.ts'
import { findPerson } from './people.ts'
import { type Db, LEAD_TABLES, LEADS, type LeadTable, PAGE_SIZE, pause } from './rows.ts'
import { confirm, say } from './terminal.ts'
import { localMinute } from './times.ts'

type Ids = Record<LeadTable, number[]>

type Yes = { readonly yes?: true }

/** Erases all rows from an address, or one row. */
export async function erase(db: Db, target: string | [LeadTable, number], { yes }: Yes) {
  const ids: Ids = { subscribers: [], enquiries: [] }
  if (typeof target === 'string') {
    const { mentions, ...leads } = await findPerson(db, target)
    for (const table of LEAD_TABLES) ids[table] = leads[table].map(({ id }) => id)
    if (mentions[0]) {
      say(`Mentioned by others, whose rows stay: ${mentions.join(' ')}. To erase one: "leads erase ${mentions[0]}".`)
    }
  } else {
    const [table, id] = target
    const row = await db.selectFrom<LeadTable>(table).select('id').where('id', '=', id).executeTakeFirst()
    if (row) ids[table].push(id)
  }
  const foundNames = LEADS.flatMap(({ table, letter }) => ids[table].map((id) => `${letter}${id}`))
  say(`Found: ${foundNames.join(' ') || 'nothing'}`)
  if (foundNames.length > 0) {
    await confirm('Erase them permanently?', yes)
    await remove(db, ids)
    say('Earlier backups contain the erased rows until these backups are deleted.')
    // An earlier erasure left the text of its rows in the file if the disk was full.
  } else if (!(await vacuum(db))) throw new UserError('Nothing was erased: check the address or the number.')
}

export type PurgeOptions = Yes & { readonly olderThan: string; readonly allowEmpty?: true }

/** Erases rows that are older than a time, but not all rows of a kind. */
export async function purge(db: Db, kind: LeadTable | 'all', { olderThan, allowEmpty, yes }: PurgeOptions) {
  const ids: Ids = { subscribers: [], enquiries: [] }
  for (const table of LEAD_TABLES.filter((table) => kind === 'all' || kind === table)) {
    const rows = await db.selectFrom<LeadTable>(table).select(['id', 'created_at']).execute()
    ids[table] = rows.filter(({ created_at }) => created_at < olderThan).map(({ id }) => id)
    // A clock that is far ahead makes everything old.
    if (rows.length > 0 && ids[table].length === rows.length && !allowEmpty) {
      throw new UserError(
        `Nothing was erased: all ${rows.length} ${table} are that old. If the clock is right (${localMinute(new Date().toISOString())}) and you mean it, pass --allow-empty.`,
      )
    }
  }
  say(`Older than ${localMinute(olderThan)}: subscribers ${ids.subscribers.length}, enquiries ${ids.enquiries.length}`)
  if (ids.subscribers.length + ids.enquiries.length > 0) await confirm('Erase them permanently?', yes)
  await remove(db, ids)
}

/**
 * Deletes rows and the messages to staff about them, and says how many, even if it fails halfway. A SQLite file keeps
 * their text until `vacuum`, and has a mark until then.
 */
async function remove(db: Db, ids: Ids) {
  const removed = { subscribers: 0, enquiries: 0, messages: 0 }
  try {
    for (const lead of LEADS) {
      for (let done = 0; done < ids[lead.table].length; done += PAGE_SIZE) {
        const batch = await removeBatch(db, lead, ids[lead.table].slice(done, done + PAGE_SIZE))
        removed[lead.table] += batch.rows
        removed.messages += batch.messages
        await pause()
      }
    }
  } finally {
    const { subscribers, enquiries, messages } = removed
    say(`Removed: subscribers ${subscribers}, enquiries ${enquiries}, messages to staff about them ${messages}`)
  }
  await vacuum(db)
}

const removeBatch = (db: Db, { kind, table }: (typeof LEADS)[number], ids: number[]) =>
  db.transaction().execute(async (db) => {
    if (isSqlite(db)) await sql`pragma user_version = 1`.execute(db)
    const rows = await db.deleteFrom(table).where('id', 'in', ids).executeTakeFirst()
    const deleteMessages = db.deleteFrom('outbox').where('kind', '=', kind).where('lead_id', 'in', ids)
    const messages = await deleteMessages.executeTakeFirst()
    return { rows: Number(rows.numDeletedRows), messages: Number(messages.numDeletedRows) }
  })

/**
 * Rewrites a SQLite file if rows were deleted since the last time; otherwise returns false. Overwriting deleted rows
 * would not be enough, because index pages keep copies of earlier rows.
 */
async function vacuum(db: Db): Promise<boolean> {
  if (!isSqlite(db)) return false
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db)
  if (rows[0]?.user_version === 0) return false
  try {
    await sql`vacuum`.execute(db)
    await sql`pragma user_version = 0`.execute(db)
    return true
  } catch (error) {
    throw new UserError(
      `The text of what was removed is still in the file. ${describeDatabaseError(error)} Then run the same command again.`,
    )
  }
}
