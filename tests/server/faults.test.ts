import { expect, onTestFinished, test, vi } from 'vitest'
import { describeDatabaseError } from '../../server/storage/database-errors.ts'
import { buildTestApp, lockDatabase, type TestApp } from '../support/server/build-test-app.ts'
import { enquiryBody } from '../support/server/post.ts'
import { expectProblem } from '../support/server/problem.ts'
import { until } from '../support/until.ts'

async function start(options = {}) {
  const server = await buildTestApp(options)
  onTestFinished(server.close)
  return server
}

const subscribe = ({ post }: TestApp) => post('/api/subscribe', { email: 'visitor@example.com' })

async function expectHealth({ app }: TestApp, path: string, status: string) {
  const answer = await app.inject(path)
  expect([answer.statusCode, answer.json(), answer.headers['cache-control']]).toEqual([200, { status }, 'no-store'])
}

test('what has waited long enough is refused with the time to come back, and taken later', async () => {
  const server = await start({ maxAgeMs: 200 })
  const release = lockDatabase(server.databaseFile)
  const answers = await Promise.all([
    subscribe(server),
    server.post('/api/contact-us', enquiryBody('Hello')),
    server.app.inject('/readyz'),
  ])
  await expectHealth(server, '/healthz', 'alive')
  release()
  for (const answer of answers) expectProblem(answer, 503)
  // Calls that came a moment apart may be refused a moment apart.
  const faults = new Set(server.causes.map(describeDatabaseError))
  expect(faults).toEqual(new Set(['Another process keeps its file locked: stop that process.']))
  expect((await subscribe(server)).json()).toEqual({ success: true, email_exists: false })
})

test('it is ready once it has written a row and no lead; who asks often writes once a second at most', async () => {
  const server = await start()
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
