import { createSenders, sendTest } from '../server/notifications/senders.ts'
import { readMessageSettings } from '../server/notifications/settings.ts'
import { retryAll } from '../server/storage/outbox-rows.ts'
import { UserError } from '../server/user-error.ts'
import { adviceFor } from './advice.ts'
import { type AddCommand, csvOption, type Format, jsonOption, limitOption } from './arguments.ts'
import { changeLeads, readLeads } from './database.ts'
import { printStatus } from './progress.ts'
import { type Filter, findRows, printRows } from './read.ts'

export function addNotificationCommands(command: AddCommand) {
  command('outbox', 'notifications that are pending or failed, and why', 'outbox --retry')
    .option('--retry', 'retry all of them now')
    .addOption(limitOption)
    .addOption(jsonOption)
    .addOption(csvOption)
    .action(async ({ retry, ...options }: Filter & Format & { retry?: true }) => {
      if (retry) printStatus(`To be retried: ${await changeLeads((database) => database.run(retryAll))}`)
      else printRows('outbox', await readLeads((database) => findRows(database, 'outbox', options)), options)
    })

  command('notify-test', 'send a test message through each configured channel').action(async () => {
    const results = await sendTest(createSenders(readMessageSettings(process.env)))
    if (results.length === 0) throw new UserError('No channel configured: set NOTIFY_SMTP_URL or NOTIFY_WEBHOOK_URL.')
    const report = results
      .map(({ channel, delivered, code }) =>
        delivered ? `${channel}: delivered (${code})` : `${channel}: failed (${code}). ${adviceFor(code)}`,
      )
      .join('\n')
    if (!results.every(({ delivered }) => delivered)) throw new UserError(report)
    printStatus(report)
  })
}
