import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { listenInTest } from '../support/local-server.ts'
import { startLoad } from '../support/server/load.ts'
import { query } from '../support/server/postgres.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'
import { type Postgres, startPostgres } from '../support/server/start-postgres.ts'
import { until } from '../support/until.ts'

/** Copies the data of the primary to the standby, which then follows it. */
async function makeStandby(primary: Postgres, standby: Postgres) {
  await Promise.all([primary.stop('fast'), standby.stop('immediate')])
  rmSync(standby.data, { recursive: true })
  // Keeps owners and modes.
  execFileSync('cp', ['-a', primary.data, standby.data])
  await primary.start()
  writeFileSync(join(standby.data, 'standby.signal'), '')
  writeFileSync(join(standby.data, 'postgresql.auto.conf'), `primary_conninfo = '${primary.url}'\n`)
  await standby.start()
}

test('the loss of the primary loses nothing acknowledged, and duplicates nothing', async () => {
  const [primary, standby] = [await startPostgres(), await startPostgres()]
  const sandbox = makeServerFolder()
  onTestFinished(() => sandbox.remove().then(primary.remove).then(standby.remove))
  await makeStandby(primary, standby)
  await query(primary.url, "alter system set synchronous_standby_names = '*'")
  await query(primary.url, 'select pg_reload_conf()')
  const isSynchronous = "select 1 from pg_stat_replication where sync_state = 'sync'"
  await until(async () => (await query(primary.url, isSynchronous)).length === 1)
  // The endpoint leads each new connection to the primary of the moment.
  let { url } = primary
  const endpoint = createServer((client) =>
    pipeline(client, connect(Number(new URL(url).port), '127.0.0.1'), client, () => {}),
  )
  const port = await listenInTest(endpoint)
  const server = await sandbox.start({ DATABASE_URL: `postgres://tests:tests@127.0.0.1:${port}/postgres` })
  const load = startLoad(server.origin, 20)
  await load.waitFor(200, 200)
  await primary.stop('kill')
  await load.waitFor(503, 20)
  await query(standby.url, 'select pg_promote()')
  url = standby.url
  await load.waitFor(200, 200)
  await load.stop()
  const enquiries = await query<{ message: string }>(url, 'select message from enquiries')
  const subscribers = await query<{ email: string }>(url, 'select email from subscribers')
  expect(load.missingFrom(subscribers, enquiries)).toEqual([])
  expect(new Set(enquiries.map(({ message }) => message)).size).toBe(enquiries.length)
})
