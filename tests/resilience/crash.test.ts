import { expect, onTestFinished, test } from 'vitest'
import { startOutbox } from '../../server/messages/outbox.ts'
import { webhookSender } from '../../server/messages/webhook.ts'
import { localServer } from '../support/local-server.ts'
import { DATABASES, makeDatabase } from '../support/server/databases.ts'
import { startLoad } from '../support/server/load.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'
import { ROUNDS } from '../support/timeouts.ts'
import { until } from '../support/until.ts'

const SECRET = 'what both sides know'

const SIGNALS = [...Array<'SIGKILL'>(ROUNDS).fill('SIGKILL'), 'SIGTERM'] as const

test.each(DATABASES)('kill -9 and SIGTERM under load lose no lead and no message, on %s', async (kind) => {
  const hook = await localServer((_, response) => response.writeHead(204).end())
  const [sandbox, database] = [makeServerFolder(), await makeDatabase(kind)]
  onTestFinished(() => sandbox.remove().then(database.remove))
  const settings = { DATABASE_URL: database.url, NOTIFY_WEBHOOK_URL: hook.origin, NOTIFY_WEBHOOK_SECRET: SECRET }
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

  const opened = await database.open()
  // Ends the claims of the killed servers.
  await opened.run((db) => db.updateTable('outbox').set({ due_at: new Date().toISOString() }).execute())
  const send = webhookSender({ url: hook.origin, keys: [Buffer.from(SECRET)] })
  const { stop } = startOutbox(opened, new Map([['webhook', send]]), 1000, () => {})
  const unsent = () => {
    const sent = hook.received.map(({ body }) => JSON.parse(body).data)
    return load.missingFrom(
      sent,
      sent.map(({ msg }) => ({ message: msg })),
    )
  }
  await until(() => unsent().length === 0)
  await stop()
  await opened.close()
})
