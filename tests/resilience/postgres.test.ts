import { connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { listenInTest } from '../support/local-server.ts'
import { startLoad } from '../support/server/load.ts'
import { query, startPostgres } from '../support/server/postgres.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'

test('while PostgreSQL hangs, the page is served; afterwards nothing is lost', async () => {
  const [postgres, sandbox] = [await startPostgres(), makeServerFolder()]
  onTestFinished(() => sandbox.remove().then(postgres.remove))
  const { origin } = await sandbox.start({ DATABASE_URL: postgres.url })
  const load = startLoad(origin, 5)
  await load.waitFor(200, 30)
  postgres.signal('SIGSTOP')
  await load.waitFor(503, 1)
  const statuses = ['', '/healthz', '/readyz'].map(async (path) => (await fetch(origin + path)).status)
  expect(await Promise.all(statuses)).toEqual([200, 200, 503])
  postgres.signal('SIGCONT')
  await load.waitFor(200, 30)
  await load.stop(postgres.url, [200, 503])
})

test('nothing is acknowledged without a standby, so a failover loses nothing', async () => {
  const primary = await startPostgres(['-c', 'synchronous_standby_names=*', '-c', 'autovacuum=off'])
  const standby = await startPostgres([], primary)
  const sandbox = makeServerFolder()
  onTestFinished(() => sandbox.remove().then(primary.remove).then(standby.remove))
  // The endpoint leads each new connection to the current primary.
  let { url } = primary
  const endpoint = createServer((client) =>
    pipeline(client, connect(Number(new URL(url).port), '127.0.0.1'), client, () => {}),
  )
  const port = await listenInTest(endpoint)
  const server = await sandbox.start({ DATABASE_URL: `postgres://tests:tests@127.0.0.1:${port}/postgres` })
  const load = startLoad(server.origin, 20)
  await load.waitFor(200, 200)
  standby.signal('SIGSTOP')
  await load.waitFor(503, 20)
  primary.signal('SIGKILL')
  await load.waitFor(503, 1)
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(503)
  standby.signal('SIGCONT')
  await query(standby.url, 'select pg_promote()')
  url = standby.url
  await load.waitFor(200, 200)
  await load.stop(url, [200, 503])
})
