import { Argument } from 'commander'
import { countMessages } from '../storage/outbox-rows.ts'
import { UserError } from '../user-error.ts'
import { withLeads } from './database.ts'
import { type Db, EXPORTED, LEAD_TABLES, LEADS, type LeadTable, pages, type Rows, readId, type Table } from './rows.ts'
import {
  type AddCommand,
  escapeForTerminal,
  type Fields,
  formatJson,
  formatTable,
  jsonOption,
  limitOption,
  localTime,
  sayToWatchers,
  sinceOption,
  TIME_ZONE,
} from './terminal.ts'

type Json = { readonly json?: true }

export function addReadCommands(command: AddCommand) {
  command('stats', `totals, the last 14 days in ${TIME_ZONE}, and messages to staff not sent yet`)
    .addOption(jsonOption)
    .action(async ({ json }: Json) => {
      const stats = await withLeads('read', readStats)
      const tables = [stats.leads, stats.messages_not_sent].map(formatTable)
      process.stdout.write(json ? formatJson(stats) : tables.join('\n'))
    })

  command('list', 'the newest rows', 'list enquiries --since 7d --search "no water"')
    .addArgument(new Argument('<kind>').choices(LEAD_TABLES))
    .addOption(sinceOption)
    .option('--search <text>', 'only rows containing text, case-insensitive')
    .addOption(limitOption)
    .addOption(jsonOption)
    .action((table: LeadTable, options: Filter) => withLeads('read', (db) => printRows(db, table, options)))

  command('show', 'one row in full', 'show e7')
    .argument('<id>', 'like s12 for subscriber 12, or e7 for enquiry 7', readId)
    .addOption(jsonOption)
    .action(async ([table, id]: [LeadTable, number], { json }: Json) => {
      const row = await withLeads('read', (db) => readRow(db, table, id))
      const lines = Object.entries(row).map(
        ([name, value]) => `${name}: ${escapeForTerminal(`${value ?? ''}`).replaceAll('\n', '\n  ')}\n`,
      )
      process.stdout.write(json ? formatJson(row) : lines.join(''))
    })
}

/** How many leads came in all, and on each of the last 14 days, today first; and how many messages are not sent. */
async function readStats(db: Db) {
  const periods = ['total', ...Array.from({ length: 14 }, (_, i) => dayBefore(i))]
  const counts = new Map(periods.map((period) => [period, { period, subscribers: 0, enquiries: 0 }]))
  for (const table of LEAD_TABLES) {
    for await (const page of pages(db, table)) {
      for (const { created_at } of page) {
        for (const period of ['total', localTime(created_at).slice(0, 10)]) {
          const count = counts.get(period)
          if (count) count[table] += 1
        }
      }
    }
  }
  return { time_zone: TIME_ZONE, leads: [...counts.values()], messages_not_sent: await countMessages(db) }
}

function dayBefore(days: number): string {
  const date = new Date()
  // A day that begins or ends summer time is shorter or longer than 24 hours.
  date.setDate(date.getDate() - days)
  return localTime(date.toISOString()).slice(0, 10)
}

const minute = (time: string) => localTime(time).slice(0, 16)

const RECEIVED = `received (${TIME_ZONE})`

/** A row of each table as people see it. */
const VIEWS: { readonly [Name in Table]: (row: Rows[Name]) => Fields } = {
  subscribers: (row) => ({ id: `s${row.id}`, [RECEIVED]: minute(row.created_at), email: row.email }),
  enquiries: (row) => ({
    id: `e${row.id}`,
    [RECEIVED]: minute(row.created_at),
    email: row.email,
    name: `${row.first_name} ${row.last_name}`,
    message: row.message,
  }),
  outbox: (row) => ({
    about: `${LEADS.find(({ kind }) => kind === row.kind)?.letter}${row.lead_id}`,
    channel: row.channel,
    since: minute(row.created_at),
    state: row.state,
    due: row.state === 'failed' ? 'never' : minute(row.due_at),
    attempts: row.attempts,
    'last error': row.last_error,
  }),
}

const fieldsOf = (row: Fields, table: Table): Fields =>
  Object.fromEntries(EXPORTED[table].map((column) => [column, row[column]]))

export type Filter = Json & { readonly since?: string; readonly search?: string; readonly limit: number }

export async function printRows<Name extends Table>(db: Db, table: Name, { json, limit, ...filter }: Filter) {
  const found = await findRows(db, table, { limit, ...filter })
  const newest = found.slice(0, limit)
  if (json) process.stdout.write(formatJson(newest.map((row) => fieldsOf(row, table))))
  else if (newest.length > 0) process.stdout.write(formatTable(newest.map(VIEWS[table])))
  else sayToWatchers('No rows.')
  if (table !== 'outbox' && found.length > limit) sayToWatchers('There are more: see --limit.')
}

/** The newest rows that contain a text; more than `limit` if there are more. */
async function findRows<Name extends Table>(db: Db, table: Name, { since = '', search = '', limit }: Filter) {
  const found: Rows[Name][] = []
  // Texts are compared in this process, because each database folds case differently, one of them ASCII alone.
  const fold = (text: string) => text.normalize().toLowerCase()
  const needle = fold(search)
  const isFound = (row: Rows[Table]) =>
    row.created_at >= since && fold(Object.values(fieldsOf(row, table)).slice(2).join('\n')).includes(needle)
  for await (const page of pages(db, table, true)) {
    found.push(...page.filter(isFound))
    if (found.length > limit) break
  }
  return found
}

async function readRow(db: Db, table: LeadTable, id: number): Promise<Fields> {
  const [row] = await db.selectFrom<LeadTable>(table).selectAll().where('id', '=', id).execute()
  if (!row) throw new UserError(`No row ${id} in ${table}: "list ${table}" shows the newest.`)
  return fieldsOf(row, table)
}
