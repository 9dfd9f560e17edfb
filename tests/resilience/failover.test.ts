import { connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'
import { onTestFinished, test } from 'vitest'
import { listenInTest } from '../support/local-server.ts'
import { startLoad } from '../support/server/load.ts'
import { query, startPostgres } from '../support/server/postgres.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'

test('nothing is acknowledged without a synchronous standby, so the loss of the primary loses nothing', async () => {
  const primary = await startPostgres(['-c', 'synchronous_standby_names=*'])
  const standby = await startPostgres([], primary)
  const sandbox = makeServerFolder()
  onTestFinished(() => sandbox.remove().then(primary.remove).then(standby.remove))
  // The endpoint leads each new connection to the primary of the moment.
  let { url } = primary
  const endpoint = createServer((client) =>
    pipeline(client, connect(Number(new URL(url).port), '127.0.0.1'), client, () => {}),
  )
  const port = await listenInTest(endpoint)
  const server = await sandbox.start({ DATABASE_URL: `postgres://tests:tests@127.0.0.1:${port}/postgres` })
  const load = startLoad(server.origin, 20)
  await load.waitFor(200, 200)
  standby.signal('STOP')
  await load.waitFor(503, 20)
  primary.signal('KILL')
  standby.signal('CONT')
  await query(standby.url, 'select pg_promote()')
  url = standby.url
  await load.waitFor(200, 200)
  await load.stop(url, [200, 503])
})
