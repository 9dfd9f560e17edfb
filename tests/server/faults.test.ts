import { type RawBuilder, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeDatabaseError } from '../../server/storage/database-errors.ts'
import { buildTestApp, lockDatabase, type TestApp } from '../support/server/build-test-app.ts'
import { readTable } from '../support/server/databases.ts'
import { expectProblem } from '../support/server/problem.ts'

let server: TestApp
beforeEach(async () => {
  server = await buildTestApp()
})
afterEach(() => server.close())

/** Takes the place of the server by one that refuses soon. */
async function refuseSoon() {
  await server.close()
  server = await buildTestApp({ maxAgeMs: 200 })
}

const subscribe = (email: string) => server.post('/api/subscribe', { email })
const pragma = <Row>(statement: RawBuilder<Row>) => server.db.run((db) => statement.execute(db))
/** Calls that came a moment apart may be refused a moment apart, for one reason. */
const faults = () => new Set(server.causes.map(describeDatabaseError))
const emails = () => readTable(server.databaseFile, 'subscribers').map((row) => row.email)

describe('while another process holds the lock', () => {
  test('the call waits, the page is served meanwhile, and the call succeeds when the lock is gone', async () => {
    const release = lockDatabase(server.databaseFile)
    let answered = false
    const call = subscribe('patient@example.com').finally(() => {
      answered = true
    })
    for (let i = 0; i < 20; i++) expect((await server.app.inject('/')).statusCode).toBe(200)
    expect(answered).toBe(false)
    release()
    expect((await call).json()).toEqual({ success: true, email_exists: false })
    expect(emails()).toEqual(['patient@example.com'])
  })

  test('a call that has waited long enough is refused with the time to come back', async () => {
    await refuseSoon()
    const release = lockDatabase(server.databaseFile)
    const answers = await Promise.all([
      subscribe('refused@example.com'),
      server.post('/api/contact-us', {
        name: { first: 'Given', last: 'Family' },
        email: 'refused@example.com',
        msg: 'Hello',
      }),
    ])
    release()
    for (const answer of answers) {
      expectProblem(answer, 503)
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    }
    expect(faults()).toEqual(new Set(['Another process keeps its file locked: stop that process.']))
    expect((await subscribe('refused@example.com')).json()).toEqual({ success: true, email_exists: false })
  })

  test('SQLite itself does not wait for it: that would hold up every visitor', async () => {
    const { rows } = await pragma(sql`pragma busy_timeout`)
    expect(rows).toEqual([{ timeout: 0 }])
  })
})

test('a full disk is answered 503, loses nothing, and is got over', async () => {
  await refuseSoon()
  await subscribe('before@example.com')
  const pages = await pragma(sql<{ page_count: number }>`pragma page_count`)
  await pragma(sql`pragma max_page_count = ${sql.lit(pages.rows[0]?.page_count ?? 0)}`)
  // The file may not grow, and these messages need more room than it has.
  const send = (i: number) =>
    server.post('/api/contact-us', {
      name: { first: 'Given', last: 'Family' },
      email: 'visitor@example.com',
      msg: `${i} ${'x'.repeat(4900)}`,
    })
  const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => send(i)))
  for (const answer of answers) expectProblem(answer, 503)
  expect(faults()).toEqual(new Set(['Its disk is full: make room.']))
  await pragma(sql`pragma max_page_count = 1000000`)
  expect((await send(0)).statusCode).toBe(200)
  expect(emails()).toEqual(['before@example.com'])
  expect(readTable(server.databaseFile, 'enquiries')).toHaveLength(1)
})
