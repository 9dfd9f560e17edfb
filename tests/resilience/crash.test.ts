import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { countUnsent } from '../../server/mail/due.ts'
import { startMailer } from '../../server/mail/mailer.ts'
import { createSend } from '../../server/mail/smtp.ts'
import { listenInTest } from '../support/local-server.ts'
import { DATABASES, makeDatabase } from '../support/server/databases.ts'
import { startLoad } from '../support/server/load.ts'
import { mailEnvironment, mailSettings } from '../support/server/mail-settings.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'
import { ROUNDS } from '../support/timeouts.ts'
import { until } from '../support/until.ts'

const SIGNALS = [...Array<'SIGKILL'>(ROUNDS).fill('SIGKILL'), 'SIGTERM'] as const

/** Starts a mail server that keeps the text of every mail. */
async function startMailServer() {
  const mails: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, _session, answer) => void text(stream).then((mail) => answer(null, void mails.push(mail))),
  })
  server.on('error', () => {})
  return { mails, port: await listenInTest(server.server) }
}

test.each(DATABASES)('kill -9 and SIGTERM under load lose no row and no mail, on %s', async (kind) => {
  const { mails, port } = await startMailServer()
  const [sandbox, database] = [makeServerFolder(), await makeDatabase(kind)]
  onTestFinished(() => sandbox.remove().then(database.remove))
  const settings = { DATABASE_URL: database.url, ...mailEnvironment(port) }
  let server = await sandbox.start(settings)
  const PORT = new URL(server.origin).port
  // It repeats a call without an answer, to the server that listens by then.
  const load = startLoad(server.origin, 20)
  onTestFinished(() => void load.stop())
  for (const [i, signal] of SIGNALS.entries()) {
    if (i > 0) server = await sandbox.start({ ...settings, PORT })
    await load.waitForAcknowledged(60)
    server.signal(signal)
    expect(await server.exited).toBe(signal === 'SIGTERM' ? 0 : null)
  }
  await load.stop()
  const enquiries = await database.rows('enquiries')
  expect(load.missingFrom(await database.rows('subscribers'), enquiries)).toEqual([])
  expect(new Set(enquiries.map(({ message }) => message)).size).toBe(enquiries.length)
  expect(load.statuses.get(500)).toBeUndefined()

  const { run, close } = await database.open()
  // Ends the claims of the killed servers.
  const now = new Date().toISOString()
  await run((db) => db.updateTable('enquiries').set({ mail_due_at: now }).where('mail_due_at', '>', now).execute())
  const send = createSend(mailSettings(port))
  const { stop } = startMailer({ run, close }, send ?? expect.fail(), 1000, () => {})
  await until(async () => (await run(countUnsent)).pending === 0)
  await stop()
  await close()
  const mailed = mails.map((mail) => /Subject: Enquiry (\d+)/.exec(mail)?.[1])
  expect(enquiries.filter(({ id }) => !mailed.includes(`${id}`))).toEqual([])
})
