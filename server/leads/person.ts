import { sql } from 'kysely'
import { UserError } from '../errors.ts'
import { type Db, isSqlite, now, VISITOR_TABLES, type VisitorTable } from '../storage/database.ts'
import { showStep } from '../storage/progress.ts'
import { deleteRows, vacuum } from '../storage/sqlite.ts'
import { normalizeEmail } from '../storage/store.ts'
import { say } from './terminal.ts'

/** A row, which people call s12 or e7: subscriber 12, enquiry 7. */
export type RowRef = { readonly table: VisitorTable; readonly id: number }

const nameOf = ({ table, id }: RowRef) => `${table.charAt(0)}${id}`

/** All rows from an address, in upper or lower case, or one row. */
async function find(db: Db, target: string | RowRef) {
  // With `collate "C"`, lower() changes only ASCII letters. In a Turkish locale, PostgreSQL would turn I into dotless ı.
  const email = isSqlite(db) ? sql`email` : sql`email collate "C"`
  const isMeant = (table: VisitorTable) =>
    typeof target === 'string'
      ? sql<boolean>`lower(${email}) = ${normalizeEmail(target)}`
      : sql<boolean>`id = ${target.table === table ? target.id : 0}`
  return {
    subscribers: await db.selectFrom('subscribers').selectAll().where(isMeant('subscribers')).execute(),
    enquiries: await db.selectFrom('enquiries').selectAll().where(isMeant('enquiries')).orderBy('id').execute(),
  }
}

/** Every column of every row that `erase` would delete. Throws a UserError if there is none. */
export async function readReport(db: Db, address: string) {
  const found = await find(db, address)
  if (!VISITOR_TABLES.some((table) => found[table].length > 0)) {
    throw new UserError('Nothing is stored from this address: check the address.')
  }
  return { address, made_at: now(), ...found }
}

/** Erases all rows from an address, or one row. Without `yes`, shows them and throws a UserError. */
export async function erase(db: Db, target: string | RowRef, yes = false) {
  const found = await find(db, target)
  const rows = VISITOR_TABLES.flatMap((table) => found[table].map(({ id }) => ({ table, id })))
  if (rows.length === 0) throw new UserError('Nothing was erased: check the address or the number.')
  say(`Found: ${rows.map(nameOf).join(' ')}`)
  if (!yes) throw new UserError('Nothing was erased. To erase them permanently, pass --yes.')
  showStep('Deleting rows')
  for (const { table, id } of rows) await deleteRows(db, table, sql`id = ${id}`)
  say(`Erased: ${rows.length}`)
  await vacuum(db)
  say('Earlier backups contain the erased rows until these backups are deleted.')
}
