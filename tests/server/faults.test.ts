import { type RawBuilder, sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { describeDatabaseError } from '../../server/storage/database-errors.ts'
import { buildTestApp, lockDatabase, type TestApp } from '../support/server/build-test-app.ts'
import { expectProblem } from '../support/server/problem.ts'
import { until } from '../support/until.ts'

async function start(maxAgeMs = 200) {
  const server = await buildTestApp({ maxAgeMs })
  onTestFinished(server.close)
  return server
}

const subscribe = ({ post }: TestApp) => post('/api/subscribe', { email: 'visitor@example.com' })

const enquire = ({ post }: TestApp, msg = 'Hello') =>
  post('/api/contact-us', { name: { first: 'Given', last: 'Family' }, email: 'visitor@example.com', msg })

async function expectHealth({ app }: TestApp, path: string, status: string) {
  const answer = await app.inject(path)
  expect([answer.statusCode, answer.json(), answer.headers['cache-control']]).toEqual([200, { status }, 'no-store'])
}

/** Calls that came a moment apart may be refused a moment apart, for one reason. */
const faultsOf = ({ causes }: TestApp) => new Set(causes.map(describeDatabaseError))

test('while another process holds the lock a call waits, and the page is served', async () => {
  const server = await start(60_000)
  const release = lockDatabase(server.databaseFile)
  let answered = false
  const call = subscribe(server).finally(() => {
    answered = true
  })
  for (let i = 0; i < 20; i++) expect((await server.app.inject('/')).statusCode).toBe(200)
  expect(answered).toBe(false)
  release()
  expect((await call).json()).toEqual({ success: true, email_exists: false })
})

test('what has waited long enough is refused with the time to come back, and taken later', async () => {
  const server = await start()
  const release = lockDatabase(server.databaseFile)
  const answers = await Promise.all([subscribe(server), enquire(server), server.app.inject('/readyz')])
  await expectHealth(server, '/healthz', 'alive')
  release()
  for (const answer of answers) {
    expectProblem(answer, 503)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  }
  expect(faultsOf(server)).toEqual(new Set(['Another process keeps its file locked: stop that process.']))
  expect((await subscribe(server)).json()).toEqual({ success: true, email_exists: false })
})

test('a full disk is answered 503, loses nothing, and is got over', async () => {
  const server = await start()
  const ask = <Row>(statement: RawBuilder<Row>) => server.db.run((db) => statement.execute(db))
  await subscribe(server)
  const pages = await ask(sql<{ page_count: number }>`pragma page_count`)
  // The file may not grow, and these messages need more room than it has.
  await ask(sql`pragma max_page_count = ${sql.lit(pages.rows[0]?.page_count ?? 0)}`)
  const send = (i: number) => enquire(server, `${i} ${'x'.repeat(4900)}`)
  for (const answer of await Promise.all(Array.from({ length: 10 }, (_, i) => send(i)))) expectProblem(answer, 503)
  expect(faultsOf(server)).toEqual(new Set(['Its disk is full: make room.']))
  await ask(sql`pragma max_page_count = 1000000`)
  expect((await send(0)).statusCode).toBe(200)
  expect([(await server.rows('subscribers')).length, (await server.rows('enquiries')).length]).toEqual([1, 1])
})

test('it is ready once it has written a row and no lead; who asks often writes once a second at most', async () => {
  const server = await start(60_000)
  let now = Math.ceil(performance.now())
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => void vi.restoreAllMocks())
  const checked = async () => (await server.rows('readiness')).map((row) => row.checked_at)
  await expectHealth(server, '/readyz', 'ready')
  const before = await checked()
  expect([before.length, await server.rows('subscribers')]).toEqual([1, []])
  await until(() => new Date().toISOString() > (before[0] ?? ''))
  now += 999
  await expectHealth(server, '/readyz', 'ready')
  expect(await checked()).toEqual(before)
  now += 1
  await expectHealth(server, '/readyz', 'ready')
  expect(await checked()).not.toEqual(before)
})
