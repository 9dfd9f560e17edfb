import { countMessages } from '../storage/outbox-rows.ts'
import { UserError } from '../user-error.ts'
import { type Db, EXPORTED, LEAD_TABLES, LEADS, type LeadTable, pages, type Rows, type Table } from './rows.ts'
import { type Fields, formatFields, formatJson, formatTable, say } from './terminal.ts'
import { dayBefore, localMinute, localTime, TIME_ZONE } from './times.ts'

export type Json = { readonly json?: true }

/** Prints the number of leads in total and on each of the last 14 days, today first; and of messages that are not sent. */
export async function printStats(db: Db, { json }: Json) {
  const periods = ['total', ...Array.from({ length: 14 }, (_, i) => dayBefore(i))]
  const counts = new Map(periods.map((period) => [period, { subscribers: 0, enquiries: 0 }]))
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
  const messages_not_sent = await countMessages(db)
  const leads = [...counts].map(([period, count]) => ({ period, ...count }))
  if (json) return print(formatJson({ time_zone: TIME_ZONE, leads, messages_not_sent }))
  print(formatTable([...counts].map(([period, count]) => ({ [`days of ${TIME_ZONE}`]: period, ...count }))))
  if (messages_not_sent.length > 0) print(`\nnot sent yet\n${formatTable(messages_not_sent)}`)
}

const print = (text: string) => void process.stdout.write(text)

const RECEIVED = `received (${TIME_ZONE})`

/** A row of each table in the form for people. */
const VIEWS: { readonly [Name in Table]: (row: Rows[Name]) => Fields } = {
  subscribers: (row) => ({ id: `s${row.id}`, [RECEIVED]: localMinute(row.created_at), email: row.email }),
  enquiries: (row) => ({
    id: `e${row.id}`,
    [RECEIVED]: localMinute(row.created_at),
    email: row.email,
    name: `${row.first_name} ${row.last_name}`,
    message: row.message,
  }),
  outbox: (row) => ({
    about: `${LEADS.find(({ kind }) => kind === row.kind)?.letter}${row.lead_id}`,
    channel: row.channel,
    [`since (${TIME_ZONE})`]: localMinute(row.created_at),
    state: row.state,
    due: row.state === 'failed' ? 'never' : localMinute(row.due_at),
    attempts: row.attempts,
    'last error': row.last_error,
  }),
}

const fieldsOf = (row: Fields, table: Table): Fields =>
  Object.fromEntries(EXPORTED[table].map((column) => [column, row[column]]))

export type Filter = Json & { readonly since?: string; readonly search?: string; readonly limit: number }

/** Prints the newest rows; returns whether there are more. */
export async function printRows<Name extends Table>(db: Db, table: Name, { json, limit, ...filter }: Filter) {
  const found = await findRows(db, table, limit, filter)
  const shown = found.slice(0, limit)
  if (json) print(formatJson(shown.map((row) => fieldsOf(row, table))))
  else if (shown.length > 0) print(formatTable(shown.map(VIEWS[table])))
  else say('No rows.')
  return found.length > limit
}

/** The newest rows that contain a text; more than `limit` if there are more. */
async function findRows<Name extends Table>(
  db: Db,
  table: Name,
  limit: number,
  { since = '', search = '' }: Omit<Filter, 'limit'>,
) {
  const found: Rows[Name][] = []
  // Texts are compared in this process, because each database ignores case differently, SQLite only for ASCII.
  const fold = (text: string) => text.normalize().toLowerCase()
  const needle = fold(search)
  const isFound = (row: Rows[Table]) =>
    row.created_at >= since && fold(Object.values(fieldsOf(row, table)).slice(2).join('\n')).includes(needle)
  for await (const page of pages(db, table, 'desc')) {
    found.push(...page.filter(isFound))
    if (found.length > limit) break
  }
  return found
}

/** Prints one row in full. */
export async function printRow<Name extends LeadTable>(db: Db, [table, id]: [Name, number], { json }: Json) {
  const [row] = await db.selectFrom<LeadTable>(table).selectAll().where('id', '=', id).execute()
  if (!row) throw new UserError(`No row ${id} in ${table}: "list ${table}" shows the newest.`)
  // The compiler does not connect the row with the name of the table.
  print(json ? formatJson(fieldsOf(row, table)) : formatFields(VIEWS[table](row as Rows[Name])))
}
