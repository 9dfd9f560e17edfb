import { expect, onTestFinished, test } from 'vitest'
import { makeDatabase } from '../support/server/databases.ts'
import { startLoad } from '../support/server/load.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'
import { ROUNDS } from '../support/timeouts.ts'

const SIGNALS = [...Array<'SIGKILL'>(ROUNDS).fill('SIGKILL'), 'SIGTERM'] as const

test('kill -9 and SIGTERM under load lose no row, and store none twice', async () => {
  const [sandbox, database] = [makeServerFolder(), await makeDatabase('sqlite')]
  onTestFinished(() => sandbox.remove().then(database.remove))
  const settings = { DATABASE_URL: database.url }
  let server = await sandbox.start(settings)
  const PORT = new URL(server.origin).port
  // As a proxy does, the load sends a call again if it got no answer. The server that listens then gets it.
  const load = startLoad(server.origin, 10)
  for (const [i, signal] of SIGNALS.entries()) {
    if (i > 0) server = await sandbox.start({ ...settings, PORT })
    await load.waitFor(200, 40)
    server.signal(signal)
    expect(await server.exited).toBe(signal === 'SIGTERM' ? 0 : null)
  }
  await load.stop(database.url, [0, 200])
})
