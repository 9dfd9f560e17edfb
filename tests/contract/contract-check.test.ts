import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { differencesIn } from '../../contract/check/evaluation.ts'
import { request } from '../../contract/check/requests.ts'
import type { Result } from '../../contract/check/result.ts'
import { type Options, startRun } from '../../contract/check/run.ts'
import { checksOf } from '../../contract/check/table/index.ts'
import { contract, operationOf } from '../support/contract/contract.ts'
import { type Handler, problem, serveFaulty } from '../support/contract/serve-faulty.ts'
import { ROUNDS } from '../support/rounds.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

async function check(host: URL | string, options: Partial<Options> = {}): Promise<readonly Result[]> {
  const run = startRun(new URL(host), { seed: 42, runs: 20 * ROUNDS, ...options })
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

const TYPE = { 'content-type': 'application/json' }
const BODY = '{"success":true,"email_exists":false}'
const RIGHT = { status: 200, headers: { ...TYPE, 'cache-control': 'no-store' }, body: BODY }

test.each([
  ['a status with a fault of its own', problem(503), ['200', 'the header Retry-After']],
  ['a byte order mark', { ...RIGHT, body: `\ufeff${BODY}` }, ['JSON in UTF-8']],
  ['bytes that are no UTF-8', { ...RIGHT, body: BODY.replace('"', '"\ufffd') }, ['JSON in UTF-8']],
  ['its schema', { ...RIGHT, body: '1' }, ['the body must be object']],
  ['the status in its problem', { ...problem(500), status: 400 }, ['/status 400']],
])('an answer breaks the contract by %s', (_, answer, expected) => {
  const subscribe = operationOf('subscribe')
  const differences = differencesIn(
    { sent: request(subscribe), answer },
    [answer.status === 400 ? 400 : 200],
    subscribe,
  )
  expect(differences.map(({ expected }) => expected)).toEqual(expected)
})

test('a seed generates the same bodies again', async () => {
  async function generated(seed: number) {
    const bodies: string[] = []
    const host = await serveFaulty(server.app, (call, right) => {
      bodies.push(call.text)
      return right(call)
    })
    await check(host, { only: 'contactUs received 20 generated', runs: 20, seed })
    return bodies.slice(-20)
  }
  const first = await generated(1)
  expect(await generated(1)).toEqual(first)
  expect(await generated(2)).not.toEqual(first)
})
