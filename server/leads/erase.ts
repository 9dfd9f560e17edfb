import { randomInt } from 'node:crypto'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Db, isSqlite, TABLES, type Table } from '../storage/database.ts'
import { databaseAdvice } from '../storage/database-errors.ts'
import { UserError } from '../user-error.ts'
import { findPerson, nameOf, type RowName } from './person.ts'
import { confirm, say } from './terminal.ts'

/** Erases all rows from an address, or one row. */
export async function erase(db: Db, target: string | RowName, yes?: boolean) {
  const rows = typeof target === 'string' ? await findAll(db, target) : await findOne(db, target)
  say(`Found: ${rows.map(nameOf).join(' ') || 'nothing'}`)
  if (rows.length > 0) await confirm('Erase them permanently?', yes)
  for (const table of TABLES) {
    const ids = rows.filter((row) => row.table === table).map(({ id }) => id)
    if (ids.length > 0) await remove(db, table, sql`id in (${sql.join(ids)})`)
  }
  const hadTraces = await rewriteFile(db)
  if (rows.length === 0 && !hadTraces) throw new UserError('Nothing was erased: check the address or the number.')
  if (rows.length === 0) say('The text of rows that were erased earlier is removed from the file.')
  say('Earlier backups contain the erased rows until these backups are deleted.')
}

async function findAll(db: Db, address: string): Promise<RowName[]> {
  const { mentions, ...found } = await findPerson(db, address)
  if (mentions[0]) {
    say(`Mentioned by others, whose rows stay: ${mentions.join(' ')}. To erase one: "leads erase ${mentions[0]}".`)
  }
  return TABLES.flatMap((table) => found[table].map(({ id }) => ({ table, id })))
}

async function findOne(db: Db, { table, id }: RowName): Promise<RowName[]> {
  const rows = await db.selectFrom<Table>(table).select('id').where('id', '=', id).execute()
  return rows.map((row) => ({ table, id: row.id }))
}

/** Deletes rows. On SQLite it also marks the file, in which their text still is: `rewriteFile` has to follow. */
export async function remove(db: Db, table: Table, which: RawBuilder<SqlBool>) {
  const count = await db.transaction().execute(async (db) => {
    const { numDeletedRows } = await db.deleteFrom<Table>(table).where(which).executeTakeFirst()
    if (numDeletedRows > 0n && isSqlite(db)) await setMark(db, randomInt(1, 2 ** 31))
    return numDeletedRows
  })
  if (count > 0n) say(`Removed: ${table} ${count}`)
}

/**
 * Rewrites a SQLite file that is marked: overwriting deleted rows is not enough, because index pages keep copies of
 * earlier rows. Returns whether it was marked.
 */
export async function rewriteFile(db: Db): Promise<boolean> {
  const mark = await readMark(db)
  if (mark === 0) return false
  try {
    await sql`vacuum`.execute(db)
    // Another command may have deleted rows since.
    await db.transaction().execute(async (db) => (await readMark(db)) === mark && setMark(db, 0))
    return true
  } catch (error) {
    const advice = databaseAdvice(error)
    throw new UserError(`The text of what was removed is still in the file. ${advice} Then run this again.`)
  }
}

/** SQLite keeps a number for its users in the file; 0 at first. It is a mark of its own for each deletion. */
async function readMark(db: Db): Promise<number> {
  if (!isSqlite(db)) return 0
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db)
  return rows[0]?.user_version ?? 0
}

const setMark = (db: Db, mark: number) => sql`pragma user_version = ${sql.lit(mark)}`.execute(db)
