import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { answerFaults } from '../../contract/faults.ts'
import { operations } from '../../contract/operations.ts'
import { FIELD_ERROR_DETAILS } from '../../server/http/field-errors.ts'
import { examples } from '../support/contract/examples.ts'
import { subscriptionOf } from '../support/enquiries.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

// The contract check tests this server against the contract; this file tests the promises beyond the contract.
const ORIGIN = 'https://www.example.com'
const servers = {
  'no PUBLIC_ORIGIN': await buildTestApp(),
  'PUBLIC_ORIGIN on https': await buildTestApp({ PUBLIC_ORIGIN: ORIGIN }),
  'PUBLIC_ORIGIN on http': await buildTestApp({ PUBLIC_ORIGIN: 'http://www.example.com', TRUST_PROXY: ['127.0.0.1'] }),
  'a trusted proxy': await buildTestApp({ TRUST_PROXY: ['127.0.0.0/8'] }),
  'a proxy that is not trusted': await buildTestApp({ TRUST_PROXY: ['192.0.2.1'] }),
}
afterAll(() => Promise.all(Object.values(servers).map(({ close }) => close())))

type Server = keyof typeof servers

const subscribe = (settings: Server, headers: object = {}) =>
  servers[settings].post('/api/subscribe', subscriptionOf(), { ...headers })

const FROM_OUR_PAGE = { origin: ORIGIN, host: 'WWW.Example.com' }
const THROUGH_PROXY = { origin: ORIGIN, host: 'inner', 'x-forwarded-host': 'www.example.com' }

test.each<[Server, status: number, headers: object]>([
  ['no PUBLIC_ORIGIN', 403, { ...FROM_OUR_PAGE, origin: `${ORIGIN}.evil.example` }],
  ['no PUBLIC_ORIGIN', 403, { ...FROM_OUR_PAGE, 'sec-fetch-site': 'same-site' }],
  ['PUBLIC_ORIGIN on https', 200, { origin: ORIGIN, host: 'inner' }],
  ['PUBLIC_ORIGIN on https', 403, { origin: 'https://inner', host: 'inner' }],
  ['a trusted proxy', 200, THROUGH_PROXY],
  ['a proxy that is not trusted', 403, THROUGH_PROXY],
])('with %s, the status is %i for the headers %j', async (settings, status, headers) => {
  expect((await subscribe(settings, headers)).statusCode).toBe(status)
})

test.each<[Server, isHttps: boolean]>([
  ['no PUBLIC_ORIGIN', false],
  ['PUBLIC_ORIGIN on http', false],
  ['PUBLIC_ORIGIN on https', true],
  ['a trusted proxy', true],
])('with %s, a header that says https is believed: %s', async (settings, isHttps) => {
  const { headers } = await subscribe(settings, { 'x-forwarded-proto': 'https' })
  expect(headers['strict-transport-security']).toBe(isHttps ? 'max-age=63072000' : undefined)
  expect(headers['set-cookie']).toMatch(isHttps ? /; SameSite=Strict; Secure$/ : /; SameSite=Strict$/)
})

/** Makes calls with these headers. Returns how many lines of the log name a setting. */
async function warningsOf(
  setting: string,
  calls: readonly object[],
  settings: Parameters<typeof buildTestApp>[0] = {},
) {
  const { app, post, logLines, close } = await buildTestApp(settings)
  onTestFinished(close)
  app.log.level = 'warn'
  for (const headers of calls) await post('/api/subscribe', subscriptionOf(), { ...headers })
  return logLines.filter((line) => line.includes('"warn"') && line.includes(setting)).length
}

const other = { 'x-forwarded-for': '192.0.2.1' }
const forwarded = (text: string) => Array(3).fill({ forwarded: text })

// The address of the caller is 127.0.0.1.
test.each<[warnings: number, calls: readonly object[]]>([
  [1, [other, { 'cf-connecting-ip': '192.0.2.2' }, { 'x-real-ip': '2001:db8::1' }, other, other, other]],
  [1, [{}, other, other, other]],
  // A browser behind a company's proxy sends such a header as well.
  [0, [other, other, {}, other, other, {}]],
  [1, Array(3).fill({ 'x-forwarded-for': '127.0.0.12' })],
  [0, Array(3).fill({ 'x-original-forwarded-for': '192.0.2.1, ::ffff:127.0.0.1' })],
  [0, Array(3).fill({ 'x-forwarded-for': '127.0.0.1:4711', 'x-real-ip': 'unknown' })],
  [0, forwarded('proto=http; For="127.0.0.1:4711";by=192.0.2.1')],
  [1, forwarded('for="[2001:db8::1]:4711", for=192.0.2.1;by=127.0.0.1')],
  [0, forwarded('for=_hidden, for="_127.0.0.2"')],
])('%i warnings name TRUST_PROXY after %j', async (warnings, calls) => {
  expect(await warningsOf('TRUST_PROXY', calls)).toBe(warnings)
})

const fromPage = { origin: 'http://www.example.com', host: 'inner:8080' }

// On plain http no browser sends Sec-Fetch-Site.
test.each<[warnings: number, setting: string | null, headers: object]>([
  [1, null, fromPage],
  [1, 'http://example.com', fromPage],
  [0, null, { ...fromPage, host: 'www.example.com' }],
  [0, null, { ...fromPage, 'sec-fetch-site': 'cross-site' }],
  [0, 'https://example.com', fromPage],
])('%i warnings name PUBLIC_ORIGIN if it is %s, after calls with %j', async (warnings, PUBLIC_ORIGIN, headers) => {
  expect(await warningsOf('PUBLIC_ORIGIN', Array(4).fill(headers), { PUBLIC_ORIGIN })).toBe(warnings)
})

test('each field of the contract has a text in field-errors.ts', () => {
  const pointers = operations.flatMap(({ schemas }) => [...schemas.keys()])
  expect(new Set(pointers)).toEqual(new Set(FIELD_ERROR_DETAILS.keys()))
})

// The contract check can't cause these answers.
test.each<[status: number, fault: () => Promise<'unavailable'>]>([
  [500, () => Promise.reject(new Error('of visitor@example.com'))],
  [503, async () => 'unavailable'],
])('an answer %i is the example of the contract, and the log has no personal data', async (status, fault) => {
  const { app, store, post, logLines, close } = await buildTestApp()
  onTestFinished(close)
  app.log.level = 'warn'
  vi.spyOn(store, 'addSubscriber').mockImplementation(fault)
  const { statusCode, headers, body } = await post('/api/subscribe?visitor@example.com', subscriptionOf())
  const answer = { status: statusCode, headers: headers as Record<string, string>, body }
  const response = operations[0]?.responses[status] ?? expect.fail()
  expect([statusCode, [...answerFaults(response, answer)]]).toEqual([status, []])
  expect(body).toBe(JSON.stringify(examples.find(({ code }) => code === `${status}`)?.value))
  if (status === 500) expect(logLines.join('')).toMatch(/^(?!.*visitor@).+"stack":".+app\.test\.ts.+request failed/m)
})

test('/readyz writes a row, once a second at most', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { app, rows } = servers['no PUBLIC_ORIGIN']
  async function check() {
    expect((await app.inject('/readyz')).json()).toEqual({ status: 'ready' })
    return rows('readiness')
  }
  const earlierRows = await check()
  vi.advanceTimersByTime(999)
  expect(await check()).toEqual(earlierRows)
  vi.advanceTimersByTime(1)
  expect(await check()).not.toEqual(earlierRows)
})
