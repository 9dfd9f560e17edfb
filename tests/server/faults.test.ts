import { type RawBuilder, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { describeDatabaseError } from '../../server/storage/database-errors.ts'
import { buildTestApp, lockDatabase, type TestApp } from '../support/server/build-test-app.ts'
import { expectProblem } from '../support/server/problem.ts'

async function start(maxAgeMs?: number) {
  const server = await buildTestApp(maxAgeMs === undefined ? {} : { maxAgeMs })
  onTestFinished(() => server.close())
  return server
}

const subscribe = ({ post }: TestApp) => post('/api/subscribe', { email: 'visitor@example.com' })

const enquire = ({ post }: TestApp, msg = 'Hello') =>
  post('/api/contact-us', { name: { first: 'Given', last: 'Family' }, email: 'visitor@example.com', msg })

const emailsIn = async ({ rows }: TestApp) => (await rows('subscribers')).map(({ email }) => email)

/** Calls that came a moment apart may be refused a moment apart, for one reason. */
const faultsOf = ({ causes }: TestApp) => new Set(causes.map(describeDatabaseError))

const ask = <Row>({ db }: TestApp, statement: RawBuilder<Row>) => db.run((db) => statement.execute(db))

test('while another process holds the lock a call waits, the page is served, and it succeeds when the lock is gone', async () => {
  const server = await start()
  const release = lockDatabase(server.databaseFile)
  let answered = false
  const call = subscribe(server).finally(() => {
    answered = true
  })
  for (let i = 0; i < 20; i++) expect((await server.app.inject('/')).statusCode).toBe(200)
  expect(answered).toBe(false)
  release()
  expect((await call).json()).toEqual({ success: true, email_exists: false })
  expect(await emailsIn(server)).toEqual(['visitor@example.com'])
  // SQLite itself does not wait for the lock: that would hold up every visitor.
  expect((await ask(server, sql`pragma busy_timeout`)).rows).toEqual([{ timeout: 0 }])
})

test('a call that has waited long enough is refused with the time to come back, and taken later', async () => {
  const server = await start(200)
  const release = lockDatabase(server.databaseFile)
  const answers = await Promise.all([subscribe(server), enquire(server)])
  release()
  for (const answer of answers) {
    expectProblem(answer, 503)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  }
  expect(faultsOf(server)).toEqual(new Set(['Another process keeps its file locked: stop that process.']))
  expect((await subscribe(server)).json()).toEqual({ success: true, email_exists: false })
})

test('a full disk is answered 503, loses nothing, and is got over', async () => {
  const server = await start(200)
  await subscribe(server)
  const pages = await ask(server, sql<{ page_count: number }>`pragma page_count`)
  // The file may not grow, and these messages need more room than it has.
  await ask(server, sql`pragma max_page_count = ${sql.lit(pages.rows[0]?.page_count ?? 0)}`)
  const send = (i: number) => enquire(server, `${i} ${'x'.repeat(4900)}`)
  for (const answer of await Promise.all(Array.from({ length: 10 }, (_, i) => send(i)))) expectProblem(answer, 503)
  expect(faultsOf(server)).toEqual(new Set(['Its disk is full: make room.']))
  await ask(server, sql`pragma max_page_count = 1000000`)
  expect((await send(0)).statusCode).toBe(200)
  expect(await emailsIn(server)).toEqual(['visitor@example.com'])
  expect(await server.rows('enquiries')).toHaveLength(1)
})
