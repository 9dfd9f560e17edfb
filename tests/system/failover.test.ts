import { rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { query, replaceStandby, startPostgres } from '../../tools/scripts/postgres.ts'
import { startLoad } from '../support/server/load.ts'
import { startProxy } from '../support/server/proxy.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'
import { until } from '../support/until.ts'

test('the loss of the primary loses no acknowledged lead, and duplicates none', async () => {
  const [primary, standby] = [await startPostgres(), await startPostgres()]
  onTestFinished(() => primary.remove().then(standby.remove))
  await replaceStandby(primary, standby)
  await query(primary.url, "alter system set synchronous_standby_names = '*'")
  await query(primary.url, 'select pg_reload_conf()')
  const isSynchronous = "select 1 from pg_stat_replication where sync_state = 'sync'"
  await until(async () => (await query(primary.url, isSynchronous)).length === 1)
  let { url } = primary
  const proxy = await startProxy(() => Number(new URL(url).port))
  const sandbox = makeServerFolder()
  onTestFinished(() => sandbox.remove().then(proxy.stop))
  const server = await sandbox.start({ DATABASE_URL: `postgres://tests:tests@127.0.0.1:${proxy.port}/postgres` })
  const load = startLoad(server.origin, 50)
  onTestFinished(() => void load.stop())
  await load.waitForAcknowledged(300)
  await primary.kill()
  rmSync(primary.data, { recursive: true })
  await load.waitForRefused(50)
  await query(standby.url, 'select pg_promote()')
  url = standby.url
  await load.waitForAcknowledged(300)
  await load.stop()
  const subscribers = await query<{ email: string }>(url, 'select email from subscribers')
  const enquiries = await query<{ message: string }>(url, 'select message from enquiries')
  expect(load.missingFrom(subscribers, enquiries)).toEqual([])
  expect(new Set(enquiries.map(({ message }) => message)).size).toBe(enquiries.length)
})
