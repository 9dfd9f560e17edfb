import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openPostgres, servePostgres } from '../../server/storage/postgres.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { makeDatabase, makeStore } from '../support/server/databases.ts'
import { startLoad } from '../support/server/load.ts'
import { createDatabase, type Postgres, query, startPostgres } from '../support/server/postgres.ts'
import { makeServerFolder, type ServerProcess } from '../support/server/server-folder.ts'
import { until } from '../support/until.ts'

const sandbox = makeServerFolder()
let postgres: Postgres
let url: string
let server: ServerProcess
beforeAll(async () => {
  postgres = await startPostgres()
  url = await createDatabase(postgres.url)
  server = await sandbox.start({ DATABASE_URL: url })
})
afterAll(async () => {
  await sandbox.remove()
  await postgres.remove()
})

const statuses = () =>
  Promise.all(['', '/healthz', '/readyz'].map(async (path) => (await fetch(server.origin + path)).status))

/** Each fault begins, and returns what ends it. */
test.each<[fault: string, begin: () => Promise<() => unknown>]>([
  ['stopped', () => postgres.stop('fast').then(() => postgres.start)],
  ['crashed', () => postgres.stop('immediate').then(() => postgres.start)],
  ['silent', () => postgres.freeze()],
])('with a PostgreSQL %s under load nothing is lost, the page stays, and it recovers by itself', async (_, begin) => {
  const load = startLoad(server.origin, 20)
  onTestFinished(() => void load.stop())
  await load.more(100)
  const end = await begin()
  await load.refusals(20)
  expect(await statuses()).toEqual([200, 200, 503])
  await end()
  await load.more(100)
  await load.stop()
  const subscribers = await query<{ email: string }>(url, 'select email from subscribers')
  const enquiries = await query<{ message: string }>(url, 'select message from enquiries')
  expect(load.missingFrom(subscribers, enquiries)).toEqual([])
  expect([...load.statuses.keys()].toSorted()).toEqual([200, 503])
})

test('without its synchronous standby nothing is acknowledged, not even what is known', async () => {
  const alone = await startPostgres()
  onTestFinished(alone.remove)
  const configure = async (standbys: string) => {
    await query(alone.url, `alter system set synchronous_standby_names = '${standbys}'`)
    await query(alone.url, 'select pg_reload_conf()')
  }
  await (await servePostgres(alone.url, () => {})).close()
  const database = openPostgres(alone.url, { lockMs: 0, connectionMs: 10_000, statementMs: 500 })
  const store = makeStore(database, { retryMs: 0 })
  onTestFinished(store.close)
  await configure('*')
  await until(async () => (await store.checkReadiness()) === 'unavailable')
  const call = () => Promise.all([store.addSubscriber('visitor@example.com'), store.addEnquiry(anEnquiry(), 'KEY')])
  expect(await call()).toEqual(['unavailable', 'unavailable'])
  const stored = () => query(alone.url, 'select 1 from subscribers')
  // An operator who cancels the wait makes the rows visible.
  await until(async () => (await query(alone.url, CANCEL_WAITS)) && (await stored()).length === 1)
  expect(await call()).toEqual(['unavailable', 'unavailable'])
  await configure('')
  await until(async () => (await store.addSubscriber('visitor@example.com')) === 'present')
})

const CANCEL_WAITS = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"

test('commits are synced, even where the database says that they need not be', async () => {
  const database = await makeDatabase('postgres')
  const name = new URL(database.url).pathname.slice(1)
  await query(database.url, `alter database ${name} set synchronous_commit = off`)
  expect(await query(database.url, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'off' }])
  const opened = await database.open()
  const { rows } = await opened.run((db) => sql`show synchronous_commit`.execute(db))
  await opened.close()
  expect(rows).toEqual([{ synchronous_commit: 'on' }])
})
