import { expect, onTestFinished, test } from 'vitest'
import { countUnsent } from '../../server/mail/mail-queue.ts'
import { startMailer } from '../../server/mail/mailer.ts'
import { createSend } from '../../server/mail/smtp.ts'
import { makeDatabase } from '../support/server/databases.ts'
import { startLoad } from '../support/server/load.ts'
import { mailEnvironment, mailSettings, startMailServer } from '../support/server/mail-server.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'
import { ROUNDS } from '../support/timeouts.ts'
import { until } from '../support/until.ts'

const SIGNALS = [...Array<'SIGKILL'>(ROUNDS).fill('SIGKILL'), 'SIGTERM'] as const

test('kill -9 and SIGTERM under load lose no row and no mail', async () => {
  const { mails, port } = await startMailServer({ disabledCommands: ['STARTTLS'] })
  const [sandbox, database] = [makeServerFolder(), await makeDatabase('sqlite')]
  onTestFinished(() => sandbox.remove().then(database.remove))
  const settings = { DATABASE_URL: database.url, ...mailEnvironment(port) }
  let server = await sandbox.start(settings)
  const PORT = new URL(server.origin).port
  // It repeats a call without an answer, to the server that listens by then.
  const load = startLoad(server.origin, 10)
  for (const [i, signal] of SIGNALS.entries()) {
    if (i > 0) server = await sandbox.start({ ...settings, PORT })
    await load.waitFor(200, 40)
    server.signal(signal)
    expect(await server.exited).toBe(signal === 'SIGTERM' ? 0 : null)
  }
  await load.stop()
  const enquiries = await database.rows('enquiries')
  expect(load.missingFrom(await database.rows('subscribers'), enquiries)).toEqual([])
  expect(new Set(enquiries.map(({ message }) => message)).size).toBe(enquiries.length)
  expect(load.statuses.get(500)).toBeUndefined()

  // Ends the claims of the killed servers.
  const now = new Date().toISOString()
  await database.run((db) =>
    db.updateTable('enquiries').set({ mail_due_at: now }).where('mail_due_at', '>', now).execute(),
  )
  const send = createSend(mailSettings(port))
  const { stop } = startMailer(database, send ?? expect.fail(), () => {})
  await until(async () => (await database.run(countUnsent)).pending === 0)
  await stop()
  const mailed = mails.map((mail) => /Subject: Enquiry (\d+)/.exec(mail)?.[1])
  expect(enquiries.filter(({ id }) => !mailed.includes(`${id}`))).toEqual([])
})
