import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Option } from 'commander'
import type { Database } from '../server/storage/database.ts'
import { UserError } from '../server/user-error.ts'
import { type AddCommand, readPast } from './arguments.ts'
import { backup, restore } from './copy.ts'
import { changeLeads, configuredDatabase, readLeads } from './database.ts'
import { printStatus } from './progress.ts'
import { findByEmail, findOlder, type Ids, removeRows, vacuum } from './remove.ts'
import { countRows, LEADS } from './rows.ts'

export function addChangeCommands(command: AddCommand) {
  const yesOption = new Option('--yes', 'do not ask for confirmation')

  command('erase', 'delete everything from an address, ignoring case', 'erase visitor@example.com')
    .argument('<email>')
    .addOption(yesOption)
    .action((email: string, { yes }: { yes?: true }) =>
      changeLeads(async (database) => {
        const ids = await findByEmail(database, email.trim())
        const found = LEADS.flatMap(({ table, letter }) => ids[table].map((id) => `${letter}${id}`))
        printStatus(`Found: ${found.join(' ') || 'nothing'}`)
        await eraseIfConfirmed(database, ids, yes)
      }),
    )

  command('purge', 'delete rows older than --older-than', 'purge --older-than 365d --dry-run')
    .requiredOption('--older-than <time>', 'days, like 365d, or a date in UTC, like 2026-11-01', readPast)
    .option('--dry-run', 'only count them')
    .option('--all', 'even if that is all there is of a kind')
    .addOption(yesOption)
    .action(({ olderThan, dryRun, all, yes }: { olderThan: string; dryRun?: true; all?: true; yes?: true }) =>
      (dryRun ? readLeads : changeLeads)(async (database) => {
        const ids = await findOlder(database, olderThan)
        printStatus(`Older than ${olderThan}: ${ids.subscribers.length} subscribers, ${ids.enquiries.length} enquiries`)
        if (dryRun) return
        if (!all) await refuseAll(database, ids)
        await eraseIfConfirmed(database, ids, yes)
      }),
    )

  command(
    'backup <file>',
    'copy everything, of either kind of database, into a new SQLite file',
    'backup leads-2026-11-01.db',
  ).action((file: string) => backup(configuredDatabase(), file))

  command(
    'restore <file>',
    'copy a backup into a database without rows, of either kind',
    'restore leads-2026-11-01.db',
  ).action((file: string) => restore(file, configuredDatabase()))
}

/** A clock that is far ahead makes everything old. Throws a UserError if no row of a kind would be left. */
async function refuseAll(database: Database, ids: Ids) {
  for (const { table } of LEADS) {
    const found = ids[table].length
    if (found === 0 || found < (await database.run((db) => countRows(db, table)))) continue
    throw new UserError(
      `Nothing was erased: these are all ${found.toLocaleString('en')} ${table}. If the clock is right (${new Date().toISOString()}) and you mean it, pass --all.`,
    )
  }
}

async function eraseIfConfirmed(database: Database, ids: Ids, yes = false) {
  const isEmpty = LEADS.every(({ table }) => ids[table].length === 0)
  if (isEmpty || yes || (await confirm())) {
    await removeRows(database, ids)
    if (configuredDatabase().kind === 'sqlite') await vacuum(database)
  } else printStatus('Nothing was erased.')
}

async function confirm(): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UserError('Not a terminal, cannot ask for confirmation. Nothing was erased; pass --yes to erase.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C rejects the question, and Ctrl-D never answers it: both mean no.
  const question = terminal.question('Erase them permanently? [y/N] ').catch(() => '')
  const answer = await Promise.race([question, once(terminal, 'close').then(() => '')])
  terminal.close()
  return /^\s*y(es)?\s*$/i.test(answer)
}
