import { adviceFor } from '../messages/advice.ts'
import { createSenders, sendTest } from '../messages/senders.ts'
import { readMessageSettings } from '../messages/settings.ts'
import { settingsOf } from '../setting-names.ts'
import { countMessages, retryAll } from '../storage/outbox-rows.ts'
import { UserError } from '../user-error.ts'
import { type Filter, printRows } from './read.ts'
import type { Db } from './rows.ts'
import { say } from './terminal.ts'

const NO_CHANNEL = 'No channel configured: set NOTIFY_SMTP_URL or NOTIFY_WEBHOOK_URL.'

const configuredSenders = () => createSenders(readMessageSettings(settingsOf(process.env)))

/** Prints the messages that are not sent yet, and says how many it does not show. */
export async function printOutbox(db: Db, filter: Filter) {
  const total = await countAll(db)
  if (await printRows(db, 'outbox', filter)) say(`Shown are the newest ${filter.limit} of ${total}: see --limit.`)
}

const countAll = async (db: Db) => (await countMessages(db)).reduce((sum, { messages }) => sum + messages, 0)

/** Makes all messages due now, for the servers to send. */
export async function retryOutbox(db: Db) {
  if (configuredSenders().size === 0) {
    throw new UserError(`${NO_CHANNEL} Nothing is retried; messages to staff that are not sent: ${await countAll(db)}.`)
  }
  say(`Messages to staff that are due again: ${await retryAll(db)}`)
}

/** Sends a test message through each channel, and prints the results. */
export async function testChannels() {
  const results = await sendTest(configuredSenders())
  if (results.length === 0) throw new UserError(NO_CHANNEL)
  const report = results
    .map(({ channel, delivered, code }) =>
      delivered ? `${channel}: delivered (${code})` : `${channel}: failed (${code}). ${adviceFor(code)}`,
    )
    .join('\n')
  if (!results.every(({ delivered }) => delivered)) throw new UserError(report)
  process.stdout.write(`${report}\n`)
}
