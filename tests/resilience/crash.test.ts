import { expect, onTestFinished, test } from 'vitest'
import { DATABASES, makeDatabase } from '../support/server/databases.ts'
import { startLoad } from '../support/server/load.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'
import { ROUNDS } from '../support/timeouts.ts'

const ENOUGH = 150

test.each(DATABASES)('kill -9 or SIGTERM under 50 connections loses and doubles nothing, on %s', async (kind) => {
  const sandbox = makeServerFolder()
  const database = await makeDatabase(kind)
  onTestFinished(() => sandbox.remove().then(database.remove))
  let PORT = '0'
  const start = () => sandbox.start({ DATABASE_URL: database.url, PORT })
  let server = await start()
  PORT = new URL(server.origin).port
  // It sends again what it got no answer to, to whichever server listens by then.
  const load = startLoad(server.origin, 50)
  onTestFinished(() => void load.stop())
  for (const signal of [...Array<'SIGKILL'>(ROUNDS).fill('SIGKILL'), 'SIGTERM'] as const) {
    await load.more(ENOUGH)
    server.signal(signal)
    expect(await server.exited).toBe(signal === 'SIGTERM' ? 0 : null)
    server = await start()
  }
  await load.more(1)
  await load.stop()

  const subscribers = await database.rows('subscribers')
  const enquiries = await database.rows('enquiries')
  const messages = new Set(enquiries.map(({ message }) => message))
  expect(load.missingFrom(subscribers, enquiries)).toEqual([])
  expect(messages.size).toBe(enquiries.length)
  expect([0, 200, 503]).toEqual(expect.arrayContaining([...load.statuses.keys()]))
})
