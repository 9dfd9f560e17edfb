import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../server/storage/postgres.ts'
import { type Postgres, startPostgres } from '../../tools/scripts/postgres.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { makeHastyStore } from '../support/server/databases.ts'
import { startLoad } from '../support/server/load.ts'
import { freeze, NO_SYNC, PATIENT, query } from '../support/server/postgres.ts'
import { makeServerFolder, type ServerProcess } from '../support/server/server-folder.ts'
import { until } from '../support/until.ts'

const sandbox = makeServerFolder()
let postgres: Postgres
let server: ServerProcess
beforeAll(async () => {
  postgres = await startPostgres(...NO_SYNC)
  server = await sandbox.start({ DATABASE_URL: postgres.url })
})
afterAll(() => sandbox.remove().then(postgres.remove))

/** Each fault begins, and returns a function that ends it. */
test.each<[fault: string, begin: () => Promise<() => unknown>]>([
  ['crashes', () => postgres.stop('immediate').then(() => postgres.start)],
  ['hangs', () => freeze(postgres)],
])('when PostgreSQL %s under load, nothing is lost, and the server recovers', async (_, begin) => {
  const load = startLoad(server.origin, 20)
  onTestFinished(() => void load.stop())
  await load.waitForAcknowledged(100)
  const end = await begin()
  await load.waitForRefused(1)
  const statuses = ['', '/healthz', '/readyz'].map(async (path) => (await fetch(server.origin + path)).status)
  expect(await Promise.all(statuses)).toEqual([200, 200, 503])
  await end()
  await load.waitForAcknowledged(100)
  await load.stop()
  const subscribers = await query<{ email: string }>(postgres.url, 'select email from subscribers')
  const enquiries = await query<{ message: string }>(postgres.url, 'select message from enquiries')
  expect(load.missingFrom(subscribers, enquiries)).toEqual([])
  expect(load.statuses.get(500)).toBeUndefined()
})

test('without a synchronous standby nothing is acknowledged', async () => {
  const store = makeHastyStore(openPostgres(postgres.url, { ...PATIENT, answerMs: 500 }))
  async function configure(standbys: string) {
    await query(postgres.url, `alter system set synchronous_standby_names = '${standbys}'`)
    await query(postgres.url, 'select pg_reload_conf()')
  }
  onTestFinished(async () => {
    await configure('')
    await store.close()
  })
  const waiting = "from pg_stat_activity where wait_event = 'SyncRep'"
  const isRefused = async () => (await store.addSubscriber(`${crypto.randomUUID()}@example.com`)) === 'unavailable'
  await configure('*')
  await until(async () => (await isRefused()) && (await query(postgres.url, `select 1 ${waiting}`)).length > 0)
  const call = () => Promise.all([store.addSubscriber('visitor@example.com'), store.addEnquiry(anEnquiry(), 'KEY')])
  expect(await call()).toEqual(['unavailable', 'unavailable'])
})
