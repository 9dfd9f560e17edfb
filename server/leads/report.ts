import { InvalidArgumentError } from 'commander'
import { normalizeEmail } from '../storage/store.ts'
import { UserError } from '../user-error.ts'
import { withLeads } from './database.ts'
import { type Out, writeOut } from './export.ts'
import { type Db, LEADS, type LeadTable, pages, type Rows, type readId, type Table } from './rows.ts'
import { type AddCommand, forceOption, formatJson, outOption } from './terminal.ts'

export type Ids = Record<LeadTable, number[]>

/** An address, or a row. */
export type Wanted = string | ReturnType<typeof readId>

export function addReportCommand(command: AddCommand) {
  command('report', 'all that is stored of one person, as JSON, for that person', 'report visitor@example.com')
    .argument('<address>', 'an address, in upper or lower case', readAddress)
    .addOption(outOption)
    .addOption(forceOption)
    .action((address: string, to: Out) =>
      withLeads('read', async (db) => writeOut([formatJson(await reportOf(db, address))], to)),
    )
}

function readAddress(text: string): string {
  if (text.includes('@')) return text.trim()
  throw new InvalidArgumentError('Must be an email address.')
}

/** The lead with an id, or those that came from any spelling of an address; and the other enquiries that mention it. */
export async function find(db: Db, wanted: Wanted) {
  const ids: Ids = { subscribers: [], enquiries: [] }
  const mentions: string[] = []
  if (typeof wanted !== 'string') {
    const [table, id] = wanted
    const row = await db.selectFrom<LeadTable>(table).select('id').where('id', '=', id).executeTakeFirst()
    if (row) ids[table].push(id)
    return { ids, mentions }
  }
  const address = normalizeEmail(wanted)
  const subscriber = await db.selectFrom('subscribers').select('id').where('email_key', '=', address).executeTakeFirst()
  if (subscriber) ids.subscribers.push(subscriber.id)
  for await (const page of pages(db, 'enquiries')) {
    for (const { id, email, first_name, last_name, message } of page) {
      if (normalizeEmail(email) === address) ids.enquiries.push(id)
      else if (normalizeEmail(`${first_name} ${last_name} ${message}`).includes(address)) mentions.push(`e${id}`)
    }
  }
  return { ids, mentions }
}

/** Every column of every row that `erase` would delete. */
async function reportOf(db: Db, address: string) {
  const { ids, mentions } = await find(db, address)
  const others = `Enquiries of other people that mention the address: ${mentions.join(' ') || 'none'}.`
  if (LEADS.every(({ table }) => ids[table].length === 0)) {
    throw new UserError(`Nothing is stored from this address: check it. ${others}`)
  }
  return {
    address,
    made_at: new Date().toISOString(),
    subscriptions: await rowsOf(db, 'subscribers', ({ id }) => ids.subscribers.includes(id)),
    enquiries: await rowsOf(db, 'enquiries', ({ id }) => ids.enquiries.includes(id)),
    messages_to_staff: await rowsOf(db, 'outbox', (row) =>
      LEADS.some(({ kind, table }) => row.kind === kind && ids[table].includes(row.lead_id)),
    ),
    mentioned_by_others: mentions,
    not_included: `${others} They are not included, because they are personal data of others.`,
  }
}

async function rowsOf<Name extends Table>(db: Db, table: Name, isTheirs: (row: Rows[Name]) => boolean) {
  const found: Rows[Name][] = []
  for await (const page of pages(db, table)) found.push(...page.filter(isTheirs))
  return found
}
