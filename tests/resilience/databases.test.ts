import { expect, onTestFinished, test } from 'vitest'
import { startLoad } from '../support/server/load.ts'
import { startPostgres } from '../support/server/postgres.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'

test('while PostgreSQL hangs, the page is served; then the server recovers, and nothing is lost', async () => {
  const [postgres, sandbox] = [await startPostgres(), makeServerFolder()]
  onTestFinished(() => sandbox.remove().then(postgres.remove))
  const { origin } = await sandbox.start({ DATABASE_URL: postgres.url })
  const load = startLoad(origin, 5)
  await load.waitFor(200, 30)
  postgres.signal('STOP')
  await load.waitFor(503, 1)
  const statuses = ['', '/healthz', '/readyz'].map(async (path) => (await fetch(origin + path)).status)
  expect(await Promise.all(statuses)).toEqual([200, 200, 503])
  postgres.signal('CONT')
  await load.waitFor(200, 30)
  await load.stop(postgres.url, [200, 503])
})
