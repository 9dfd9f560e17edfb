import { sql } from 'kysely'
import type { Db, Table } from '../storage/database.ts'
import { normalizeEmail } from '../storage/store.ts'
import { UserError } from '../user-error.ts'

/** A row, which people call s12 or e7: subscriber 12, enquiry 7. */
export type RowName = { readonly table: Table; readonly id: number }

export const nameOf = ({ table, id }: RowName) => `${table.charAt(0)}${id}`

/** The rows from an address, in upper or lower case, and the names of other enquiries that mention it, like e7. */
export async function findPerson(db: Db, typed: string) {
  const address = normalizeEmail(typed)
  const subscribers = await db.selectFrom('subscribers').selectAll().where('email_key', '=', address).execute()
  // An address has only ASCII letters, and for these both databases agree on lower case.
  const isTheirs = sql<boolean>`lower(email) = ${address}`
  const enquiries = await db.selectFrom('enquiries').selectAll().where(isTheirs).orderBy('id').execute()
  const pattern = `%${address.replace(/[\\%_]/g, '\\$&')}%`
  const others = await db
    .selectFrom('enquiries')
    .select('id')
    .where(sql<boolean>`lower(first_name || ' ' || last_name || ' ' || message) like ${pattern} escape '\\'`)
    .where(sql<boolean>`lower(email) <> ${address}`)
    .orderBy('id')
    .execute()
  return { subscribers, enquiries, mentions: others.map(({ id }) => nameOf({ table: 'enquiries', id })) }
}

/** Every column of every row that `erase` would delete. Throws a UserError if there is none. */
export async function reportOf(db: Db, address: string) {
  const { subscribers, enquiries, mentions } = await findPerson(db, address)
  const others = `Enquiries of other people that mention the address: ${mentions.join(' ') || 'none'}.`
  if (subscribers.length + enquiries.length === 0) {
    throw new UserError(`Nothing is stored from this address: check it. ${others}`)
  }
  return {
    address,
    made_at: new Date().toISOString(),
    subscribers,
    enquiries,
    mentioned_by_others: mentions,
    not_included: `${others} They are not included, because they are personal data of others.`,
  }
}
