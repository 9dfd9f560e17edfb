import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Db, isSqlite, type LeadTable } from '../storage/database.ts'
import { adviceFor } from '../storage/database-errors.ts'
import { UserError } from '../user-error.ts'
import { findPerson, LEADS } from './people.ts'
import { confirm, localTime, say } from './terminal.ts'

/** Erases all rows from an address, or one row. */
export async function erase(db: Db, target: string | [LeadTable, number], yes?: boolean) {
  const found = typeof target === 'string' ? await findAll(db, target) : await findOne(db, ...target)
  const names = LEADS.flatMap(({ table, letter }) => found[table].map(({ id }) => `${letter}${id}`))
  say(`Found: ${names.join(' ') || 'nothing'}`)
  if (names.length > 0) await confirm('Erase them permanently?', yes)
  for (const { table } of LEADS) {
    const ids = found[table].map(({ id }) => id)
    if (ids.length > 0) await remove(db, table, sql`id in (${sql.join(ids)})`)
  }
  // Also if nothing was found: an earlier erasure left the text of its rows in the file if the disk was full.
  await vacuum(db)
  if (names.length === 0) throw new UserError('Nothing was erased: check the address or the number.')
  say('Earlier backups contain the erased rows until these backups are deleted.')
}

type Found = Readonly<Record<LeadTable, readonly { id: number }[]>>

async function findAll(db: Db, address: string): Promise<Found> {
  const { mentions, ...found } = await findPerson(db, address)
  if (mentions[0]) {
    say(`Mentioned by others, whose rows stay: ${mentions.join(' ')}. To erase one: "leads erase ${mentions[0]}".`)
  }
  return found
}

async function findOne(db: Db, table: LeadTable, id: number): Promise<Found> {
  const rows = await db.selectFrom<LeadTable>(table).select('id').where('id', '=', id).execute()
  return { subscribers: [], enquiries: [], [table]: rows }
}

/**
 * Erases the rows of a table that are older than a time. If all are that old, the clock may be far ahead: then it
 * erases none, unless `allowEmpty`.
 */
export async function purge(db: Db, table: LeadTable, olderThan: string, allowEmpty?: boolean, yes?: boolean) {
  const times = await db.selectFrom<LeadTable>(table).select('created_at').execute()
  const count = times.filter(({ created_at }) => created_at < olderThan).length
  if (count === 0) return
  if (count === times.length && !allowEmpty) {
    throw new UserError(
      `Nothing was erased: all ${count} ${table} are older than ${localTime(olderThan)}. If the clock is right and you mean it, run leads purge with --allow-empty.`,
    )
  }
  say(`Older than ${localTime(olderThan)}: ${table} ${count}`)
  await confirm('Erase them permanently?', yes)
  await remove(db, table, sql`created_at < ${olderThan}`)
  await vacuum(db)
}

/** Deletes rows, and the messages to staff about them. */
async function remove(db: Db, table: LeadTable, which: RawBuilder<SqlBool>) {
  const rows = await db.deleteFrom<LeadTable>(table).where(which).executeTakeFirst()
  const messages = await db
    .deleteFrom('outbox')
    .where('kind', '=', table === 'subscribers' ? 'subscription' : 'enquiry')
    .where('lead_id', 'not in', db.selectFrom<LeadTable>(table).select('id'))
    .executeTakeFirst()
  say(`Removed: ${table} ${rows.numDeletedRows}, messages to staff about them ${messages.numDeletedRows}`)
}

/** Rewrites a SQLite file: overwriting deleted rows is not enough, because index pages keep copies of earlier rows. */
async function vacuum(db: Db) {
  if (!isSqlite(db)) return
  try {
    await sql`vacuum`.execute(db)
  } catch (error) {
    throw new UserError(`The text of what was removed is still in the file. ${adviceFor(error)} Then run this again.`)
  }
}
