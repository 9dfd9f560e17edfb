import { adviceFor } from '../messages/advice.ts'
import { createSenders, sendTest } from '../messages/senders.ts'
import { readMessageSettings } from '../messages/settings.ts'
import { countMessages, retryAll } from '../storage/outbox-rows.ts'
import { UserError } from '../user-error.ts'
import { withLeads } from './database.ts'
import { type Filter, printRows } from './read.ts'
import type { Db } from './rows.ts'
import { type AddCommand, counted, jsonOption, limitOption, sayToWatchers } from './terminal.ts'

const NO_CHANNEL = 'No channel configured: set NOTIFY_SMTP_URL or NOTIFY_WEBHOOK_URL.'

const configuredSenders = () => createSenders(readMessageSettings(process.env))

export function addOutboxCommands(command: AddCommand) {
  command('outbox', 'messages to staff that are pending or failed, and why', 'outbox --retry')
    .option('--retry', 'retry all of them now')
    .addOption(limitOption)
    .addOption(jsonOption)
    .action(({ retry, ...options }: Filter & { retry?: true }) =>
      withLeads(retry ? 'write' : 'read', (db) => (retry ? retryNow(db) : printOutbox(db, options))),
    )

  command('notify-test', 'send a test message through each configured channel').action(async () => {
    const results = await sendTest(configuredSenders())
    if (results.length === 0) throw new UserError(NO_CHANNEL)
    const report = results
      .map(({ channel, delivered, code }) =>
        delivered ? `${channel}: delivered (${code})` : `${channel}: failed (${code}). ${adviceFor(code)}`,
      )
      .join('\n')
    if (!results.every(({ delivered }) => delivered)) throw new UserError(report)
    process.stdout.write(`${report}\n`)
  })
}

async function printOutbox(db: Db, options: Filter) {
  const total = await countAll(db)
  await printRows(db, 'outbox', options)
  if (total > options.limit)
    process.stderr.write(`Shown are ${options.limit} of ${counted(total, 'outbox')}: see --limit.\n`)
}

const countAll = async (db: Db) => (await countMessages(db)).reduce((sum, { messages }) => sum + messages, 0)

async function retryNow(db: Db) {
  if (configuredSenders().size === 0) {
    throw new UserError(`${NO_CHANNEL} Nothing is retried, and not sent yet: ${counted(await countAll(db), 'outbox')}.`)
  }
  sayToWatchers(`To be retried: ${counted(await retryAll(db), 'outbox')}`)
}
