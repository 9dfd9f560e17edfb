import { normalizeEmail } from '../storage/store.ts'
import { UserError } from '../user-error.ts'
import { type Db, LEADS, pages, type Rows } from './rows.ts'

/** The rows from an address, in upper or lower case, and the names of other enquiries that mention it, like e7. */
export async function findPerson(db: Db, typed: string) {
  const address = normalizeEmail(typed)
  const subscribers = await db.selectFrom('subscribers').selectAll().where('email_key', '=', address).execute()
  const enquiries: Rows['enquiries'][] = []
  const mentions: string[] = []
  for await (const page of pages(db, 'enquiries')) {
    for (const row of page) {
      if (normalizeEmail(row.email) === address) enquiries.push(row)
      else if (normalizeEmail(`${row.first_name} ${row.last_name} ${row.message}`).includes(address)) {
        mentions.push(`e${row.id}`)
      }
    }
  }
  return { subscribers, enquiries, mentions }
}

/** Every column of every row that `erase` would delete. Throws a UserError if there is none. */
export async function reportOf(db: Db, address: string) {
  const { mentions, ...leads } = await findPerson(db, address)
  const others = `Enquiries of other people that mention the address: ${mentions.join(' ') || 'none'}.`
  if (leads.subscribers.length + leads.enquiries.length === 0) {
    throw new UserError(`Nothing is stored from this address: check it. ${others}`)
  }
  const messages: Rows['outbox'][] = []
  for await (const page of pages(db, 'outbox')) {
    const isTheirs = (row: Rows['outbox']) =>
      LEADS.some(({ kind, table }) => row.kind === kind && leads[table].some(({ id }) => id === row.lead_id))
    messages.push(...page.filter(isTheirs))
  }
  return {
    address,
    made_at: new Date().toISOString(),
    subscriptions: leads.subscribers,
    enquiries: leads.enquiries,
    messages_to_staff: messages,
    mentioned_by_others: mentions,
    not_included: `${others} They are not included, because they are personal data of others.`,
  }
}
