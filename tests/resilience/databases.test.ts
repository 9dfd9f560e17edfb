import { spawnSync } from 'node:child_process'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../server/storage/postgres.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { makeHastyStore } from '../support/server/databases.ts'
import { startLoad } from '../support/server/load.ts'
import { LONG_TIMEOUTS, query } from '../support/server/postgres.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'
import { startPostgres } from '../support/server/start-postgres.ts'
import { until } from '../support/until.ts'

const sandbox = makeServerFolder()
const postgres = await startPostgres()
const server = await sandbox.start({ DATABASE_URL: postgres.url })
afterAll(() => sandbox.remove().then(postgres.remove))

/** Suspends PostgreSQL with all its sessions. */
async function freeze() {
  const sessions = await query<{ pid: number }>(postgres.url, 'select pid from pg_stat_activity')
  const pids = [postgres.pid(), ...sessions.map(({ pid }) => pid)].join(' ')
  // A session that has ended since then gets no signal.
  const signal = (name: string) => spawnSync('sh', ['-c', `kill -${name} ${pids}`])
  signal('STOP')
  return () => signal('CONT')
}

/** Each fault begins, and returns a function that ends it. */
test.each<[fault: string, begin: () => Promise<() => unknown>]>([
  ['crashes', () => postgres.stop('immediate').then(() => postgres.start)],
  ['hangs', freeze],
])('when PostgreSQL %s under load, nothing is lost, and the server recovers', async (_, begin) => {
  const load = startLoad(server.origin, 5)
  await load.waitFor(200, 30)
  const end = await begin()
  await load.waitFor(503, 1)
  const statuses = ['', '/healthz', '/readyz'].map(async (path) => (await fetch(server.origin + path)).status)
  expect(await Promise.all(statuses)).toEqual([200, 200, 503])
  await end()
  await load.waitFor(200, 30)
  await load.stop()
  const subscribers = await query<{ email: string }>(postgres.url, 'select email from subscribers')
  const enquiries = await query<{ message: string }>(postgres.url, 'select message from enquiries')
  expect(load.missingFrom(subscribers, enquiries)).toEqual([])
  expect(load.statuses.get(500)).toBeUndefined()
})

test('without a synchronous standby nothing is acknowledged', async () => {
  const store = makeHastyStore(openPostgres(postgres.url, { ...LONG_TIMEOUTS, answerMs: 500 }))
  async function configure(standbys: string) {
    await query(postgres.url, `alter system set synchronous_standby_names = '${standbys}'`)
    await query(postgres.url, 'select pg_reload_conf()')
  }
  onTestFinished(() => configure('').then(store.close))
  const waiting = "select 1 from pg_stat_activity where wait_event = 'SyncRep'"
  const subscribe = () => store.addSubscriber(`${crypto.randomUUID()}@example.com`)
  await configure('*')
  await until(async () => (await subscribe()) === 'unavailable' && (await query(postgres.url, waiting)).length > 0)
  expect(await Promise.all([subscribe(), store.addEnquiry(anEnquiry(), 'KEY')])).toEqual(['unavailable', 'unavailable'])
})
