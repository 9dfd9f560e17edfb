import { sql } from 'kysely'
import type { Db, LeadTable } from '../storage/database.ts'
import { normalizeEmail } from '../storage/store.ts'
import { UserError } from '../user-error.ts'

/** The kinds of leads: the table, the name in the outbox, and the letter before an id. */
export const LEADS = [
  { table: 'subscribers', kind: 'subscription', letter: 's' },
  { table: 'enquiries', kind: 'enquiry', letter: 'e' },
] as const

export const LEAD_TABLES: readonly LeadTable[] = LEADS.map(({ table }) => table)

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
  return { subscribers, enquiries, mentions: others.map(({ id }) => `e${id}`) }
}

/** Every column of every row that `erase` would delete. Throws a UserError if there is none. */
export async function reportOf(db: Db, address: string) {
  const { mentions, ...leads } = await findPerson(db, address)
  const others = `Enquiries of other people that mention the address: ${mentions.join(' ') || 'none'}.`
  if (leads.subscribers.length + leads.enquiries.length === 0) {
    throw new UserError(`Nothing is stored from this address: check it. ${others}`)
  }
  const messages = await db.selectFrom('outbox').selectAll().orderBy('id').execute()
  const isTheirs = (message: (typeof messages)[number]) =>
    LEADS.some(({ kind, table }) => message.kind === kind && leads[table].some(({ id }) => id === message.lead_id))
  return {
    address,
    made_at: new Date().toISOString(),
    subscriptions: leads.subscribers,
    enquiries: leads.enquiries,
    messages_to_staff: messages.filter(isTheirs),
    mentioned_by_others: mentions,
    not_included: `${others} They are not included, because they are personal data of others.`,
  }
}
