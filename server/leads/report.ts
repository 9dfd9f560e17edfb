import { InvalidArgumentError } from 'commander'
import { UserError } from '../user-error.ts'
import { withLeads } from './database.ts'
import { find } from './erase.ts'
import { type Out, writeOut } from './export.ts'
import { type Db, LEADS, pages, type Rows, type Table } from './rows.ts'
import { type AddCommand, forceOption, formatJson, outOption } from './terminal.ts'

export function addReportCommand(command: AddCommand) {
  command('report', 'all that is stored of one person, as JSON, for who asks for it', 'report visitor@example.com')
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
