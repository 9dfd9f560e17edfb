import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { operations } from '../../contract/operations.ts'
import { FIELD_TEXTS } from '../../server/http/field-errors.ts'
import type { Settings } from '../../server/settings.ts'
import { subscriptionOf } from '../support/enquiries.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

// The contract check tests this server against the contract; this file tests the promises beyond the contract.
const ORIGIN = 'https://www.example.com'
const start = (access: Partial<Settings>) => buildTestApp({ access })
const servers = {
  'no PUBLIC_ORIGIN': await start({}),
  PUBLIC_ORIGIN: await start({ PUBLIC_ORIGIN: ORIGIN }),
  'a proxy that is trusted': await start({ TRUST_PROXY: ['127.0.0.0/8'] }),
  'a proxy that is not trusted': await start({ TRUST_PROXY: ['192.0.2.1'] }),
}
afterAll(() => Promise.all(Object.values(servers).map(({ close }) => close())))

type Server = keyof typeof servers

const subscribe = (settings: Server, headers: object) =>
  servers[settings].post('/api/subscribe', subscriptionOf(), { ...headers })

const FROM_OUR_PAGE = { origin: ORIGIN, host: 'WWW.Example.com' }
const THROUGH_PROXY = { origin: ORIGIN, host: 'inner', 'x-forwarded-host': 'www.example.com' }

test.each<[Server, headers: object, status: number]>([
  ['no PUBLIC_ORIGIN', FROM_OUR_PAGE, 200],
  ['no PUBLIC_ORIGIN', { ...FROM_OUR_PAGE, 'sec-fetch-site': 'cross-site' }, 403],
  ['no PUBLIC_ORIGIN', { ...FROM_OUR_PAGE, 'sec-fetch-site': 'same-site' }, 403],
  ['no PUBLIC_ORIGIN', { ...FROM_OUR_PAGE, origin: `${ORIGIN}.evil.example` }, 403],
  ['no PUBLIC_ORIGIN', { ...FROM_OUR_PAGE, origin: '' }, 403],
  ['PUBLIC_ORIGIN', { origin: ORIGIN, host: 'inner' }, 200],
  ['PUBLIC_ORIGIN', { origin: 'https://inner', host: 'inner' }, 403],
  ['a proxy that is trusted', THROUGH_PROXY, 200],
  ['a proxy that is trusted', { ...THROUGH_PROXY, 'x-forwarded-host': 'evil.example' }, 403],
  ['a proxy that is not trusted', THROUGH_PROXY, 403],
])('with %s, the headers in row %# are answered %i', async (settings, headers, status) => {
  expect((await subscribe(settings, headers)).statusCode).toBe(status)
})

test.each<[Server, warnings: number]>([
  ['a proxy that is trusted', 0],
  ['a proxy that is not trusted', 1],
])('with %s, addresses in headers lead to %i warnings', async (settings, warnings) => {
  const { app, logLines } = servers[settings]
  app.log.level = 'warn'
  for (const address of ['198.51.100.1', '198.51.100.2']) await subscribe(settings, { 'x-forwarded-for': address })
  expect(logLines.filter((line) => /"header":"x-forwarded-for".+TRUST_PROXY/.test(line))).toHaveLength(warnings)
})

test('each field of the contract has a text in field-errors.ts', () => {
  const pointers = operations.flatMap(({ parts }) => [...parts.keys()])
  expect(new Set(pointers)).toEqual(new Set(FIELD_TEXTS.keys()))
})

test('/readyz writes a row, once a second at most', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { app, rows } = servers['no PUBLIC_ORIGIN']
  async function check() {
    expect((await app.inject('/readyz')).json()).toEqual({ status: 'ready' })
    return rows('times')
  }
  const earlierRows = await check()
  vi.advanceTimersByTime(999)
  expect(await check()).toEqual(earlierRows)
  vi.advanceTimersByTime(1)
  expect(await check()).not.toEqual(earlierRows)
})
