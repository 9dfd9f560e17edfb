import {
  type AddCommand,
  csvOption,
  type Format,
  jsonOption,
  limitOption,
  readId,
  sinceOption,
  tableArgument,
} from './arguments.ts'
import { readLeads } from './database.ts'
import { exportRows } from './export.ts'
import { escapeForTerminal, formatCsv, formatJson } from './format.ts'
import { type Filter, findRows, printRows, readRow } from './read.ts'
import { LEAD_TABLES, type LeadTable } from './rows.ts'
import { formatStats, readStats } from './stats.ts'

export function addReadCommands(command: AddCommand) {
  command('stats', 'totals, today, the last 14 days, and enquiries not delivered yet')
    .addOption(jsonOption)
    .addOption(csvOption)
    .action(async ({ json, csv }: Format) => {
      const stats = await readLeads(readStats)
      const data = csv ? formatCsv(stats.days, ['day', ...LEAD_TABLES]) : formatStats(stats)
      process.stdout.write(json ? formatJson(stats) : data)
    })

  command('list', 'the newest rows', 'list enquiries --since 7d --search "no water"')
    .addArgument(tableArgument)
    .addOption(sinceOption)
    .option('--search <text>', 'only rows containing text, case-insensitive')
    .addOption(limitOption)
    .addOption(jsonOption)
    .addOption(csvOption)
    .action(async (table: LeadTable, options: Filter & Format) => {
      printRows(table, await readLeads((database) => findRows(database, table, options)), options)
    })

  command('show', 'one row in full', 'show e7')
    .argument('<id>', 'like s12 for subscriber 12, or e7 for enquiry 7', readId)
    .addOption(jsonOption)
    .action(async ([table, id]: [LeadTable, number], { json }: Format) => {
      const row = await readLeads((database) => readRow(database, table, id))
      const lines = Object.entries(row).map(
        ([name, value]) => `${name}: ${escapeForTerminal(`${value ?? ''}`).replaceAll('\n', '\n  ')}\n`,
      )
      process.stdout.write(json ? formatJson(row) : lines.join(''))
    })

  command('export', 'all rows, as CSV without live formulas', 'export enquiries --since 2026-11-01 --out enquiries.csv')
    .addArgument(tableArgument)
    .addOption(sinceOption)
    .option('--out <file>', 'write to a new file (mode 0600)')
    .option('--force', 'replace the file of --out')
    .action((table: LeadTable, options: { since?: string; out?: string; force?: true }) =>
      readLeads((database) => exportRows(database, table, options)),
    )
}
