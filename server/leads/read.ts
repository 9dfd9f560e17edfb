import { Argument } from 'commander'
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
  remark,
  sinceOption,
} from './terminal.ts'

type Json = { readonly json?: true }

export function addReadCommands(command: AddCommand) {
  command('stats', 'totals, today, the last 14 days, and enquiries not delivered yet')
    .addOption(jsonOption)
    .action(async ({ json }: Json) => {
      const stats = await withLeads('read', readStats)
      process.stdout.write(json ? formatJson(stats) : formatStats(stats))
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

type Stats = Awaited<ReturnType<typeof readStats>>

/** `unsent` counts the enquiries with a message to staff that is not delivered yet; `failed` ones are not retried. */
async function readStats(db: Db) {
  const today = { day: dayBefore(0), subscribers: 0, enquiries: 0 }
  const before = Array.from({ length: 13 }, (_, i) => ({ ...today, day: dayBefore(13 - i) }))
  const days = [...before, today]
  const byDay = new Map(days.map((each) => [each.day, each]))
  const total = { subscribers: 0, enquiries: 0 }
  for (const table of LEAD_TABLES) {
    for await (const page of pages(db, table)) {
      total[table] += page.length
      for (const { created_at } of page) {
        const day = byDay.get(created_at.slice(0, 10))
        if (day) day[table] += 1
      }
    }
  }
  const unsent = { pending: new Set<number>(), failed: new Set<number>() }
  for await (const page of pages(db, 'outbox')) {
    for (const { kind, state, lead_id } of page) if (kind === 'enquiry') unsent[state].add(lead_id)
  }
  return { timezone: 'UTC', total, today, days, unsent: { pending: unsent.pending.size, failed: unsent.failed.size } }
}

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** The statistics as a table for people. */
function formatStats({ total, today, days, unsent }: Stats): string {
  const newestFirst = [{ day: 'total', ...total }, { ...today, day: 'today' }, ...days.toReversed().slice(1)]
  return `${formatTable(newestFirst)}Enquiries unsent: ${unsent.pending} pending, ${unsent.failed} failed. Days are UTC.\n`
}

const minute = (time: string) => time.slice(0, 16).replace('T', ' ')

/** A row of each table as people see it. */
const VIEWS: { readonly [Name in Table]: (row: Rows[Name]) => Fields } = {
  subscribers: (row) => ({ id: `s${row.id}`, 'received (UTC)': minute(row.created_at), email: row.email }),
  enquiries: (row) => ({
    id: `e${row.id}`,
    'received (UTC)': minute(row.created_at),
    email: row.email,
    name: `${row.first_name} ${row.last_name}`,
    message: row.message,
  }),
  outbox: (row) => ({
    about: `${LEADS.find(({ kind }) => kind === row.kind)?.letter}${row.lead_id}`,
    channel: row.channel,
    'since (UTC)': minute(row.created_at),
    state: row.state,
    'due (UTC)': row.state === 'failed' ? 'never' : minute(row.due_at),
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
  else remark('No rows.')
  if (found.length > limit) remark('There are more: see --limit.')
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
