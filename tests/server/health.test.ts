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

const ask = (url: string) => server.app.inject(url)
const checked = async () => (await server.rows('readiness')).map((row) => row.checked_at)

test('it is alive, and nobody keeps that answer', async () => {
  const answer = await ask('/healthz')
  expect([answer.statusCode, answer.json(), answer.headers['cache-control']]).toEqual([
    200,
    { status: 'alive' },
    'no-store',
  ])
})

test('it is ready once it has written a row, and no lead', async () => {
  const answer = await ask('/readyz')
  expect([answer.statusCode, answer.json(), answer.headers['cache-control']]).toEqual([
    200,
    { status: 'ready' },
    'no-store',
  ])
  expect(await checked()).toHaveLength(1)
  expect(await server.rows('subscribers')).toEqual([])
})

test('who asks often writes once a second at most', async () => {
  now += 1000
  await ask('/readyz')
  const before = await checked()
  await until(() => new Date().toISOString() > (before[0] ?? ''))
  now += 999
  await ask('/readyz')
  expect(await checked()).toEqual(before)
  now += 1
  await ask('/readyz')
  expect(await checked()).not.toEqual(before)
})

test('while nothing can be written it is alive and not ready', async () => {
  const release = lockDatabase(server.databaseFile)
  now += 1000
  let answered = false
  const answer = ask('/readyz').finally(() => {
    answered = true
  })
  await until(() => {
    now += 100
    return answered
  })
  expectProblem(await answer, 503)
  expect((await ask('/healthz')).statusCode).toBe(200)
  release()
  now += 1000
  expect((await ask('/readyz')).statusCode).toBe(200)
})
