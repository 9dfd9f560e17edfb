import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { checksOf } from '../../contract-check/checks/index.ts'
import { differencesIn } from '../../contract-check/evaluation.ts'
import { newAddress, request } from '../../contract-check/requests.ts'
import type { Result } from '../../contract-check/result.ts'
import { type Options, startRun } from '../../contract-check/run.ts'
import { contract, operationOf } from '../support/contract/contract.ts'
import { type Handler, problem, serveFaulty } from '../support/contract/serve-faulty.ts'
import { ROUNDS } from '../support/rounds.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const SEED = 42

async function check(host: URL | string, options: Partial<Options> = {}): Promise<readonly Result[]> {
  const run = startRun(new URL(host), { seed: SEED, runs: 20 * ROUNDS, ...options })
  await run.ended
  return run.results
}

const server = await buildTestApp()
const right = await server.listen()
afterAll(() => server.close())

// On SQLite the bundled check finds the same.
test('the reference backend on PostgreSQL keeps every promise that can be seen from outside, and stores only marked addresses', async () => {
  const backend = await buildTestApp({ database: 'postgres' })
  const results = await check(await backend.listen())
  const rows = [...(await backend.rows('subscribers')), ...(await backend.rows('enquiries'))]
  await backend.close()
  expect(results.flatMap(({ violations }) => violations)).toEqual([])
  const others = results.filter(({ verdict }) => verdict !== 'passed')
  const notFromOutside = ['declined', 'too-many-requests', 'server-error', 'unavailable']
  expect(others.map(({ verdict, outcome }) => `${verdict} ${outcome}`)).toEqual(
    [...notFromOutside, ...notFromOutside].map((outcome) => `skipped ${outcome}`),
  )
  expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(contract.flatMap(({ outcomes }) => outcomes)))
  expect(rows.length).toBeGreaterThan(100)
  const isMarked = (email: string) => /^contract\+[^@]*@([a-z0-9-]+\.)*example\.(com|con|c|1|a-b)$/i.test(email)
  expect(rows.filter(({ email }) => !isMarked(email))).toEqual([])
})

test('a backend may keep to itself who is listed, and the table says so', async () => {
  const backend = await buildTestApp({ access: { revealExisting: false } })
  const results = await check(await backend.listen(), { only: 'already-subscribed' })
  await backend.close()
  expect(results.flatMap(({ violations }) => violations)).toEqual([])
  expect(results.map(({ notes }) => notes[0])).toEqual(
    expect.arrayContaining([expect.stringContaining('always false')]),
  )
})

/** In all that the contract leaves open it differs from the reference backend. */
const OTHER_WAY: Handler = async (call, right) => {
  if (!call.url.startsWith('/api')) return right(call)
  if (/"email".*"(email|\\u0065mail)"/.test(call.text)) return problem(400)
  const { 'sec-fetch-site': _site, origin: _origin, ...headers } = call.headers
  const answer = await right({ ...call, headers })
  const value = JSON.parse(answer.body || '{}')
  const more = answer.status < 400 ? {} : { instance: call.url.replace(/\?.*/, ''), timestamp: '2026-01-01T00:00:00Z' }
  const all = { ...value, ...more, ...('email_exists' in value && { email_exists: false }) }
  return {
    status: answer.status,
    headers: { ...answer.headers, connection: 'close', 'cache-control': 'private, no-store' },
    body: answer.body && JSON.stringify(all, null, 2).replaceAll('":', '" :'),
  }
}

test('a backend that does otherwise what the contract leaves open is right', async () => {
  const results = await check(await serveFaulty(server.app, OTHER_WAY))
  expect(results.flatMap(({ violations }) => violations)).toEqual([])
  expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(['passed', 'skipped']))
})

test('every check quotes the contract', () => {
  const words = (text: string) => text.replaceAll(/\s+/g, ' ')
  const document = words(readFileSync('openapi.yaml', 'utf8')).replaceAll("''", "'")
  const rules = checksOf(contract, { origin: right, seed: 1, runs: 1, restart: 'x' }).map(({ rule }) => rule)
  expect([...new Set(rules)].filter((rule) => !document.includes(words(rule)))).toEqual([])
})

const SUBSCRIBE = operationOf('subscribe')
const TYPE = { 'content-type': 'application/json' }
const BODY = '{"success":true,"email_exists":false}'
const RIGHT = { status: 200, headers: { ...TYPE, 'cache-control': 'no-store' }, body: BODY }
const EMAIL = newAddress()

test.each([
  ['nothing', RIGHT, []],
  ['a status with a fault of its own', problem(503), ['200', 'the header Retry-After']],
  ['a header that is missing', { ...RIGHT, headers: TYPE }, ['the header Cache-Control']],
  ['a byte order mark', { ...RIGHT, body: `\ufeff${BODY}` }, ['JSON in UTF-8']],
  ['bytes that are no UTF-8', { ...RIGHT, body: BODY.replace('"', '"\ufffd') }, ['JSON in UTF-8']],
  ['its schema', { ...RIGHT, body: '1' }, ['the body must be object']],
  ['the status in its problem', { ...problem(500), status: 422 }, ['/status 422']],
  [
    'what was sent',
    { ...problem(422), body: problem(422).body.replace('Refused', EMAIL) },
    [expect.stringMatching('repeats')],
  ],
])('an answer breaks the contract by %s', (_, answer, expected) => {
  const isRefused = answer.status === 422
  const sent = request(SUBSCRIBE, { body: { email: isRefused ? `${EMAIL} ` : EMAIL } })
  const differences = differencesIn({ sent, answer }, [isRefused ? 422 : 200], SUBSCRIBE)
  expect(differences.map(({ expected }) => expected)).toEqual(expected)
})

test('a generated fault is shown again by its seed', async () => {
  const host = await serveFaulty(server.app, (call, right) =>
    call.url === '/api/contact-us' && call.text.includes('ß') ? problem(500) : right(call),
  )
  async function shown() {
    const results = await check(host, { only: 'contactUs received 200 generated', runs: 200 })
    const requests = results.flatMap(({ violations }) => violations.map(({ request }) => request))
    return requests.map((request) => request.replace(/^.*\n|contract\+[0-9a-f]+/gs, ''))
  }
  const first = await shown()
  expect(first).toContainEqual(expect.stringContaining('ß'))
  expect(await shown()).toEqual(first)
})
