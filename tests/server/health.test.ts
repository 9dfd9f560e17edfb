import { expect, onTestFinished, test, vi } from 'vitest'
import { buildTestApp } from '../support/server/build-test-app.ts'

test('it is ready once it has written a row and no lead; who asks often writes once a second at most', async () => {
  const server = await buildTestApp()
  onTestFinished(server.close)
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  async function check(path: string, status: string) {
    const answer = await server.app.inject(path)
    expect([answer.statusCode, answer.json(), answer.headers['cache-control']]).toEqual([200, { status }, 'no-store'])
    return (await server.rows('readiness')).map((row) => row.checked_at)
  }
  expect(await check('/healthz', 'alive')).toEqual([])
  const before = await check('/readyz', 'ready')
  expect([before.length, await server.rows('subscribers')]).toEqual([1, []])
  vi.advanceTimersByTime(999)
  expect(await check('/readyz', 'ready')).toEqual(before)
  vi.advanceTimersByTime(1)
  expect(await check('/readyz', 'ready')).not.toEqual(before)
})
