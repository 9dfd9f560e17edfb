import { Argument } from 'commander'
import { sql } from 'kysely'
import { isSqlite } from '../storage/database.ts'
import { describeDatabaseError } from '../storage/database-errors.ts'
import { UserError } from '../user-error.ts'
import { withLeads } from './database.ts'
import { find, type Ids, type Wanted } from './report.ts'
import { type Db, LEAD_TABLES, LEADS, type LeadTable, PAGE_SIZE, pages, pause, readId } from './rows.ts'
import { type AddCommand, confirm, counted, progress, readTime, sayToWatchers, yesOption } from './terminal.ts'

type Yes = { readonly yes?: true }

export function addEraseCommands(command: AddCommand) {
  command('erase', 'delete one row, or all from an address, ignoring case', 'erase visitor@example.com')
    .argument('<address|id>', 'an address, or like s12 for subscriber 12, or e7 for enquiry 7', readAddressOrId)
    .addOption(yesOption)
    .action((wanted: Wanted, { yes }: Yes) => withLeads('write', (db) => erase(db, wanted, yes)))

  command('purge', 'delete rows older than --older-than', 'purge enquiries --older-than 365d')
    .addArgument(new Argument('<kind>').choices([...LEAD_TABLES, 'all']))
    .requiredOption('--older-than <time>', 'days, like 365d, or a date, like 2026-11-01', readTime)
    .option('--allow-empty', 'even if that is all there is of a kind')
    .addOption(yesOption)
    .action((kind: LeadTable | 'all', options: PurgeOptions) => withLeads('write', (db) => purge(db, kind, options)))
}

const readAddressOrId = (text: string): Wanted => (text.includes('@') ? text.trim() : readId(text))

async function erase(db: Db, wanted: Wanted, yes?: true) {
  const { ids, mentions } = await find(db, wanted)
  const found = LEADS.flatMap(({ table, letter }) => ids[table].map((id) => `${letter}${id}`))
  sayToWatchers(`Found: ${found.join(' ') || 'nothing'}`)
  if (mentions[0]) {
    sayToWatchers(
      `Mentioned by others, whose rows stay: ${mentions.join(' ')}. To erase one: "leads erase ${mentions[0]}".`,
    )
  }
  if (found.length > 0) {
    await removeIfConfirmed(db, ids, yes)
    sayToWatchers('Backups made before keep what was erased until they are deleted.')
    // Rewrites the file at least, if an earlier erasure left the text of its rows there because the disk was full.
  } else if (!(await vacuum(db))) throw new UserError('Nothing was erased: check the address or the number.')
}

type PurgeOptions = Yes & { readonly olderThan: string; readonly allowEmpty?: true }

async function purge(db: Db, kind: LeadTable | 'all', { olderThan, allowEmpty, yes }: PurgeOptions) {
  const ids: Ids = { subscribers: [], enquiries: [] }
  const tables = LEAD_TABLES.filter((table) => kind === 'all' || kind === table)
  const emptied: string[] = []
  for (const table of tables) {
    let total = 0
    for await (const page of pages(db, table)) {
      total += page.length
      ids[table].push(...page.filter((row) => row.created_at < olderThan).map((row) => row.id))
    }
    if (total > 0 && ids[table].length === total) emptied.push(counted(total, table))
  }
  sayToWatchers(`Older than ${olderThan}: ${tables.map((table) => counted(ids[table].length, table)).join(', ')}`)
  // A clock that is far ahead makes everything old.
  if (emptied.length > 0 && !allowEmpty) {
    throw new UserError(
      `Nothing was erased: that is all there is (${emptied.join(', ')}). If the clock is right (${new Date().toISOString()}) and you mean it, pass --allow-empty.`,
    )
  }
  await removeIfConfirmed(db, ids, yes)
}

async function removeIfConfirmed(db: Db, ids: Ids, yes?: true) {
  const isEmpty = LEAD_TABLES.every((table) => ids[table].length === 0)
  if (!isEmpty && !(await confirm('Erase them permanently?', yes))) throw new UserError('Nothing was erased.')
  await removeRows(db, ids)
  await vacuum(db)
}

/**
 * Deletes rows and the messages to staff about them, and prints how many, even if it fails halfway. A SQLite file keeps
 * their text until `vacuum`, and is marked as one that needs it.
 */
async function removeRows(db: Db, ids: Ids) {
  const removed = { subscribers: 0, enquiries: 0, outbox: 0 }
  try {
    for (const lead of LEADS) {
      const { table } = lead
      const report = progress(`Removing ${table}`)
      for (let done = 0; done < ids[table].length; done += PAGE_SIZE) {
        const { rows, messages } = await removeBatch(db, lead, ids[table].slice(done, done + PAGE_SIZE))
        removed[table] += rows
        removed.outbox += messages
        report(removed[table])
        await pause()
      }
    }
  } finally {
    const counts = LEAD_TABLES.map((table) => counted(removed[table], table))
    sayToWatchers(`Removed: ${counts.join(', ')}, ${counted(removed.outbox, 'outbox')} about them.`)
  }
}

const removeBatch = (db: Db, { kind, table, key }: (typeof LEADS)[number], ids: number[]) =>
  db.transaction().execute(async (db) => {
    if (isSqlite(db)) await sql`pragma user_version = 1`.execute(db)
    else {
      // Locks the rows of PostgreSQL in the order in which servers do, so that neither waits for the other forever.
      const order = sql`${sql.ref(key)} collate "C"`
      await db.selectFrom<LeadTable>(table).select('id').where('id', 'in', ids).orderBy(order).forUpdate().execute()
    }
    const rows = await db.deleteFrom(table).where('id', 'in', ids).executeTakeFirst()
    const about = db.deleteFrom('outbox').where('kind', '=', kind).where('lead_id', 'in', ids)
    const messages = await about.executeTakeFirst()
    return { rows: Number(rows.numDeletedRows), messages: Number(messages.numDeletedRows) }
  })

/**
 * Rewrites a SQLite file if rows were deleted since the last time; false if none were. Overwriting deleted rows would
 * not be enough: index pages keep copies of earlier ones.
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
