import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseJson, toJson } from '../../contract/operations.ts'
import type { Client } from '../../contract-check/client.ts'
import { createContext, namedErrors, type Result, violationOf } from '../../contract-check/context.ts'
import { junit, report } from '../../contract-check/report.ts'
import { address, request } from '../../contract-check/requests.ts'
import { type Options, startRun, UNREADABLE } from '../../contract-check/run.ts'
import { readOperations, startMock } from '../../dev/mock.ts'
import { contract, operationOf } from '../support/contract/contract.ts'
import { FAULTS, problem, serveFaulty } from '../support/contract/faulty-backends.ts'
import { listenAtRandom, ODD } from '../support/contract/random-backend.ts'
import { ROUNDS } from '../support/rounds.ts'
import { buildTestApp, type TestApp } from '../support/server/build-test-app.ts'

const SEED = 42

async function check(host: URL | string, options: Partial<Options> = {}): Promise<readonly Result[]> {
  const run = startRun(new URL(host), { seed: SEED, runs: 20 * ROUNDS, ...options })
  await run.ended
  return run.results
}

let server: TestApp
let right: string
beforeAll(async () => {
  server = await buildTestApp()
  right = await server.listen()
})
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
  const isMarked = (email: string) => /^contract\+[^@]*@([a-z0-9-]+\.)*example\.(com|c|1)$/i.test(email)
  expect(rows.filter(({ email }) => !isMarked(email))).toEqual([])
})

test('a backend may keep to itself who is listed, and the table says so', async () => {
  const backend = await buildTestApp({ access: { revealExisting: false } })
  const results = await check(await backend.listen(), { only: 'already-subscribed' })
  await backend.close()
  expect(results.flatMap(({ violations }) => violations)).toEqual([])
  expect(results.map(({ notes }) => notes[0])).toEqual(Array(3).fill(expect.stringContaining('always false')))
})

test.each(Object.entries(FAULTS))('a faulty backend is caught: %s', async (title, handler) => {
  const host = await serveFaulty(server.app, handler)
  const isLimit = title.startsWith('a rate limit')
  const results = await check(host, { only: isLimit ? 'contactUs' : title, quick: isLimit, runs: 100 })
  const caughtBy = results.filter(({ verdict }) => verdict === 'failed').map((result) => result.title)
  expect(caughtBy).toContainEqual(expect.stringContaining(title))
})

test('every check catches one', async () => {
  const titles = (await check('http://127.0.0.1:9')).map(({ title }) => title.replace(/^\d+ (?=generated)/, ''))
  expect(new Set(titles)).toEqual(
    new Set([...Object.keys(FAULTS).filter((title) => !title.startsWith('a rate limit')), 'not testable from outside']),
  )
})

describe('an answer breaks the contract', () => {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  const right = { status: 200, headers, body: '{"success":true,"email_exists":false}' }
  const email = address()

  test.each([
    ['by nothing', right, []],
    ['by another status', { ...right, status: 201 }, ['200']],
    ['by a status with a fault of its own', problem(503), ['200', 'the header Retry-After']],
    ['by a header that is missing', { ...right, headers: JSON_ALONE }, ['the header Cache-Control']],
    ['by its type', { ...right, headers: { ...headers, 'content-type': 'text/html' } }, ['application/json']],
    ['by a byte order mark', { ...right, body: `\ufeff${right.body}` }, ['JSON in UTF-8']],
    ['by bytes that are no UTF-8', { ...right, body: right.body.replace('"', '"\ufffd') }, ['JSON in UTF-8']],
    ['by its schema', { ...right, body: right.body.replace('true', '1') }, expect.arrayContaining([ONE_SHAPE])],
    ['by a success that is false', { ...right, body: '{"success":false}' }, ['/success true']],
    ['by the status in its problem', { ...problem(500), status: 422 }, ['/status 422']],
    ['by what was sent', { ...problem(422), body: problem(422).body.replace('Refused', email) }, [REPEATED]],
  ])('%s', async (_, answer, expected) => {
    const client = { isStopped: () => false, exchange: async (sent: object) => ({ sent, answer }) } as unknown as Client
    const context = createContext(client, operationOf('subscribe'), {} as Result)
    const call = request('POST', '/api/subscribe', { email })
    const { differences } = await context.evaluate(call, answer.status === 422 ? 422 : 200)
    expect(differences.map(({ expected }) => expected)).toEqual(expected)
  })
})

const ONE_SHAPE = 'the body must match exactly one schema in oneOf'
const JSON_ALONE = { 'content-type': 'application/json' }
const REPEATED = 'an error repeats no value that was sent'

test('the mock holds all that needs no memory and no look at the bytes', async () => {
  const mock = await startMock(await readOperations())
  const results = await check(mock.origin, { quick: true })
  await mock.close()
  const passed = results.filter(({ verdict }) => verdict === 'passed').map(({ outcome }) => outcome)
  const held = ['subscribed', 'already-subscribed', 'received', 'invalid-subscription', 'invalid-enquiry']
  expect(new Set(passed)).toEqual(new Set([...held, 'unsupported-media-type']))
})

describe('whatever a backend answers, the check ends with a result:', () => {
  test('one with anything odd in it', () => {
    const response = operationOf('subscribe').responses.get(422)
    const around = [
      ['', ''],
      ['{"errors":', '}'],
      ['{"errors":[{"pointer":', '}]}'],
      ['{"status":', '}'],
    ]
    for (const body of ODD.flatMap((odd) => around.map(([before, after]) => `${before}${odd}${after}`))) {
      const answer = { status: 422, headers: { 'content-type': 'application/problem+json' }, body }
      const value = Object(parseJson(body))
      expect(toJson([namedErrors(value), value.errors])).toEqual(expect.any(String))
      const sent = request('POST', '/', body)
      const shown = violationOf({ sent, answer }, response?.differences(answer) ?? [], String)
      expect(JSON.stringify(shown).length).toBeLessThan(10_000)
    }
  })

  test.concurrent.each(Array.from({ length: 15 * ROUNDS }, (_, i) => SEED + i))(
    'one at random, from seed %i',
    async (seed) => {
      const backend = await listenAtRandom(seed, new URL(right))
      // Of a few checks each, so that many meet each kind of answer.
      const only = GROUPS[seed % GROUPS.length] ?? ''
      const run = startRun(backend.host, { only, seed, runs: 5, timeout: 5, callTimeoutMs: 100 })
      await run.ended
      await backend.close()
      const differences = run.results.flatMap(({ violations }) => violations.flatMap(({ differences }) => differences))
      expect(differences.filter(({ expected }) => expected === UNREADABLE)).toEqual([])
      expect(report(backend.host.href, run, 1000)).toMatch(/Nothing was checked\.$|\d+ answers\n/)
      expect(junit(run)).toMatch(XML)
      for (const { verdict, violations } of run.results) expect(violations.length > 0).toBe(verdict === 'failed')
    },
  )
})

const GROUPS = contract.flatMap(({ name, outcomes }) => outcomes.map((outcome) => `${name} ${outcome}`))

/** In the few forms that are written: anything else is no XML, or nothing that readers of JUnit know. */
const TEXT = '(?:[^<>&"]|&(?:amp|lt|gt|quot|#10);)*'
const ATTRIBUTES = `(?: [a-z]+="${TEXT}")*`
const INSIDE = `(?:<(?:failure|error|skipped)${ATTRIBUTES}>${TEXT}</(?:failure|error|skipped)>)?`
const XML = RegExp(
  `^<\\?xml version="1.0" encoding="UTF-8"\\?>\n<testsuite${ATTRIBUTES}>\n(?:<testcase${ATTRIBUTES}>${INSIDE}</testcase>\n)+<system-out>${TEXT}</system-out>\n</testsuite>\n$`,
)

test('a generated fault is shown by its smallest body, and again by its seed', async () => {
  const isFault = ({ url, text }: { url: string; text: string }) => url === '/api/contact-us' && text.includes('\u00df')
  const host = await serveFaulty(server.app, (call, right) =>
    isFault(call) ? { status: 500, headers: {}, body: '' } : right(call),
  )
  const shown = async (seed: number) =>
    (await check(host, { only: 'contactUs received 200 generated', runs: 200, seed })).flatMap(({ violations }) =>
      violations.map(({ request }) => request.replace(/^.*\n|contract\+[0-9a-f]+/gs, '')),
    )
  const [first, again] = [await shown(SEED), await shown(SEED)]
  expect(first).toEqual([expect.stringContaining('"ß"')])
  expect(again).toEqual(first)
})
