import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildTestApp, lockDatabase, type TestApp } from '../support/server/build-test-app.ts'
import { expectProblem } from '../support/server/problem.ts'
import { until } from '../support/until.ts'

let server: TestApp
let now: number
beforeAll(async () => {
  server = await buildTestApp({ maxAgeMs: 1000 })
  now = Math.ceil(performance.now())
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await server.close()
})

async function expectAnswer(url: string, status: string) {
  const answer = await server.app.inject(url)
  expect([answer.statusCode, answer.json(), answer.headers['cache-control']]).toEqual([200, { status }, 'no-store'])
}

test('it is ready once it has written a row and no lead; who asks often writes once a second at most', async () => {
  const checked = async () => (await server.rows('readiness')).map((row) => row.checked_at)
  await expectAnswer('/healthz', 'alive')
  await expectAnswer('/readyz', 'ready')
  const before = await checked()
  expect([before.length, await server.rows('subscribers')]).toEqual([1, []])
  await until(() => new Date().toISOString() > (before[0] ?? ''))
  now += 999
  await expectAnswer('/readyz', 'ready')
  expect(await checked()).toEqual(before)
  now += 1
  await expectAnswer('/readyz', 'ready')
  expect(await checked()).not.toEqual(before)
})

test('while nothing can be written it is alive and not ready', async () => {
  const release = lockDatabase(server.databaseFile)
  now += 1000
  let answered = false
  const answer = server.app.inject('/readyz').finally(() => {
    answered = true
  })
  await until(() => {
    now += 100
    return answered
  })
  expectProblem(await answer, 503)
  await expectAnswer('/healthz', 'alive')
  release()
  now += 1000
  await expectAnswer('/readyz', 'ready')
})
