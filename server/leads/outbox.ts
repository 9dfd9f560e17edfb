import { adviceFor } from '../messages/advice.ts'
import { createSenders, sendTest } from '../messages/senders.ts'
import type { Settings } from '../settings.ts'
import type { Db } from '../storage/database.ts'
import { retryAll } from '../storage/outbox-rows.ts'
import { UserError } from '../user-error.ts'
import { LEADS } from './people.ts'
import { localTime, say } from './terminal.ts'

const NO_CHANNEL = 'No channel configured: set NOTIFY_SMTP_URL or NOTIFY_WEBHOOK_URL.'

/** Prints the messages that are not sent yet, the oldest first, and why. */
export async function printOutbox(db: Db) {
  const rows = await db.selectFrom('outbox').selectAll().orderBy('id').execute()
  for (const { kind, lead_id, channel, state, created_at, attempts, last_error } of rows) {
    const letter = LEADS.find((lead) => lead.kind === kind)?.letter
    const reason = last_error ? `: ${last_error}. ${adviceFor(last_error)}` : ''
    const since = `since ${localTime(created_at)}, attempts ${attempts}`
    process.stdout.write(`${letter}${lead_id} by ${channel}, ${state} ${since}${reason}\n`)
  }
  say(`Messages to staff that are not sent: ${rows.length}`)
}

/** Makes all messages due now, for the servers to send. */
export async function retryOutbox(db: Db, settings: Settings) {
  if (createSenders(settings).size === 0) throw new UserError(`${NO_CHANNEL} Nothing is retried.`)
  say(`Messages to staff that are due again: ${await retryAll(db)}`)
}

/** Sends a test message through each channel, and prints the results. */
export async function testChannels(settings: Settings) {
  const results = await sendTest(createSenders(settings))
  if (results.length === 0) throw new UserError(NO_CHANNEL)
  const report = results
    .map(({ channel, delivered, code }) =>
      delivered ? `${channel}: delivered (${code})` : `${channel}: failed (${code}). ${adviceFor(code)}`,
    )
    .join('\n')
  if (!results.every(({ delivered }) => delivered)) throw new UserError(report)
  process.stdout.write(`${report}\n`)
}
