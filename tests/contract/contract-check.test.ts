import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Result } from '../../contract-check/context.ts'
import { junit, report } from '../../contract-check/report.ts'
import { type Options, startRun, UNREADABLE } from '../../contract-check/run.ts'
import { readOperations, startMock } from '../../dev/mock.ts'
import { contract } from '../support/contract/contract.ts'
import { FAULTY_BACKENDS, serveFaulty } from '../support/contract/faulty-backends.ts'
import { listenAtRandom, ODD } from '../support/contract/random-backend.ts'
import { ROUNDS } from '../support/rounds.ts'
import { buildTestApp, type TestApp } from '../support/server/build-test-app.ts'
import { DATABASES } from '../support/server/databases.ts'

const SEED = 42

async function check(
  host: URL | string,
  options: Partial<Options> = {},
  tell?: (waiting: string) => void,
): Promise<readonly Result[]> {
  const run = startRun(new URL(host), { seed: SEED, runs: 20 * ROUNDS, ...options }, tell)
  await run.ended
  return run.results
}

const namesOf = (results: readonly Result[], verdict: Result['verdict']) =>
  results
    .filter((result) => result.verdict === verdict)
    .map(({ operation, outcome, title }) => `${operation} ${outcome}: ${title}`)

const NOT_FROM_OUTSIDE = ['declined', 'too-many-requests', 'server-error', 'unavailable']

describe.each(DATABASES)('the reference backend on %s', (database) => {
  let server: TestApp
  let origin: string
  beforeAll(async () => {
    server = await buildTestApp({ database })
    origin = await server.listen()
  })
  afterAll(() => server.close())

  test('keeps every promise that can be seen from outside', async () => {
    const results = await check(origin)
    expect(results.flatMap(({ violations }) => violations)).toEqual([])
    const others = results.filter(({ verdict }) => verdict !== 'passed')
    expect(others.map(({ verdict }) => verdict)).toEqual(Array(8).fill('skipped'))
    expect(others.map(({ outcome }) => outcome)).toEqual([...NOT_FROM_OUTSIDE, ...NOT_FROM_OUTSIDE])
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(NAMED_OUTCOMES))
  })

  test('stores nothing under an address without the mark', async () => {
    const emails = [...(await server.rows('subscribers')), ...(await server.rows('enquiries'))].map(
      ({ email }) => email,
    )
    expect(emails.length).toBeGreaterThan(100)
    expect(emails.filter((email) => !/^contract\+[^@]*@([a-z0-9-]+\.)*example\.(com|c|1)$/i.test(email))).toEqual([])
  })
})

const NAMED_OUTCOMES = contract.flatMap(({ outcomes }) => outcomes)

test('a backend may keep to itself who is listed, and the table says so', async () => {
  const server = await buildTestApp({ access: { revealExisting: false } })
  const results = await check(await server.listen(), { only: 'already-subscribed' })
  await server.close()
  expect(results.flatMap(({ violations }) => violations)).toEqual([])
  expect(results.map(({ notes }) => notes[0])).toEqual(Array(3).fill(expect.stringContaining('always false')))
})

describe('a faulty backend is caught:', () => {
  let server: TestApp
  beforeAll(async () => {
    server = await buildTestApp()
  })
  afterAll(() => server.close())

  // All checks at 20 rounds; else those alone that are known to notice.
  test.each(FAULTY_BACKENDS)('one that $name', async (wrong) => {
    const searches = ROUNDS >= 20 ? [''] : wrong.caughtBy
    const results: Result[] = []
    for (const only of searches) {
      const backend = await serveFaulty(server.app, wrong)
      const isLimit = only.startsWith('a rate limit says')
      results.push(...(await check(backend.host, { only: isLimit ? 'contactUs' : only, quick: isLimit, runs: 100 })))
      await backend.close()
    }
    const caughtBy = results.filter(({ verdict }) => verdict === 'failed').map(({ title }) => title)
    for (const title of wrong.caughtBy) {
      expect(caughtBy).toContainEqual(expect.stringContaining(title))
    }
  })

  test('every check catches one', async () => {
    const titles = (await check('http://127.0.0.1:9')).map(({ title }) => title)
    const catching = FAULTY_BACKENDS.flatMap(({ caughtBy }) => caughtBy)
    const idle = titles.filter((title) => !catching.some((part) => title.includes(part)))
    expect([...new Set(idle)]).toEqual(['not testable from outside'])
  })
})

test('the mock holds all that needs no memory and no look at the bytes', async () => {
  const mock = await startMock(await readOperations())
  // Prism gives up on unknown names that its own headers can't hold: no generated invalid bodies.
  const results = [
    ...(await check(mock.origin, { runs: 0 })),
    ...(await check(mock.origin, { only: 'generated valid bodies' })),
  ]
  await mock.close()
  const broken = (operation: string, taken: string, invalid: string) =>
    BEYOND_A_MOCK.map(
      (title) => `${operation} ${title.replace('taken:', `${taken}:`).replace('invalid:', `${invalid}:`)}`,
    )
  expect(namesOf(results, 'failed').toSorted()).toEqual(
    [
      ...broken('subscribe', 'subscribed', 'invalid-subscription'),
      ...broken('contactUs', 'received', 'invalid-enquiry'),
      ...ENQUIRIES_BEYOND_A_MOCK,
    ].toSorted(),
  )
  expect(namesOf(results, 'passed').length).toBeGreaterThan(45)
  const noScheme = results.filter(({ title }) => title.startsWith('a token that is wrong'))
  expect(noScheme.map(({ verdict }) => verdict)).toEqual(['skipped', 'skipped'])
})

const BEYOND_A_MOCK = [
  'invalid: each field at fault is named, and no other',
  'method-not-allowed: HEAD is refused like other methods',
  'method-not-allowed: other methods are refused, and Allow names those that there are',
  'not-found: other paths are not found, by any method',
  'not-json: a byte order mark is refused',
  'not-json: bytes that are not UTF-8 are refused',
  'not-json: deep nesting is refused',
  'not-json: half a body is refused',
  'not-json: almost valid JSON is refused',
  'taken: one connection carries many calls, refused ones among them',
  'too-large: a body of 65,537 bytes in chunks is refused',
  'too-large: a body of 65,537 bytes is refused',
  'too-large: a huge body is refused',
  'unsupported-media-type: a compressed body is refused',
  'unsupported-media-type: a form, no type, other types and other charsets are refused',
]
const ENQUIRIES_BEYOND_A_MOCK = [
  'contactUs invalid-enquiry: an empty key is refused',
  'contactUs key-reused: another enquiry with the same key is refused',
  'contactUs key-reused: keys that differ only in case are one',
  'contactUs key-reused: of two enquiries at once with one key, one is accepted',
  'contactUs key-reused: the key is named as what is at fault',
  'contactUs too-large: a body of 65,537 bytes in fewer characters is refused',
]

describe('whatever a backend answers, the check ends with a result:', () => {
  let server: TestApp
  let right: URL
  beforeAll(async () => {
    server = await buildTestApp()
    right = new URL(await server.listen())
  })
  afterAll(() => server.close())

  test.each([
    ['errors', 'contactUs invalid-enquiry each field', /"errors":(\[.*\])/],
    ['a pointer', 'contactUs invalid-enquiry each field', /"pointer":("[^"]*")/],
    ['a header', 'the key is named', /"header":("[^"]*")/],
    ['status', 'an invalid address is refused', /"status":(\d+)/],
    ['success', 'a known address', /"success":(\w+)/],
    ['email_exists', 'a known address', /"email_exists":(\w+)/],
    ['the whole', 'contactUs invalid-enquiry each field', /^(.*)$/],
  ])('one with an odd value for %s', async (_, only, place) => {
    for (const odd of ODD) {
      const backend = await serveFaulty(server.app, {
        make: () => async (call, right) => {
          const { body, ...answer } = await right(call)
          return { ...answer, body: body.replace(place, (whole, value) => whole.replace(value, odd)) }
        },
      })
      const results = await check(backend.host, { only })
      await backend.close()
      expect(results.flatMap(({ violations }) => violations).filter(isUnreadable)).toEqual([])
    }
  })

  test.concurrent.each(Array.from({ length: 15 * ROUNDS }, (_, i) => SEED + i))(
    'one at random, from seed %i',
    async (seed) => {
      const backend = await listenAtRandom(seed, right)
      // Of a few checks each, so that many meet each kind of answer.
      const only = GROUPS[seed % GROUPS.length] ?? ''
      const run = startRun(backend.host, { only, seed, runs: 5, timeout: 5, callTimeoutMs: 100 })
      await run.ended
      await backend.close()
      expect(run.results.flatMap(({ violations }) => violations).filter(isUnreadable)).toEqual([])
      expect(report(backend.host.href, run, 1000)).toMatch(/Nothing was checked\.$|\d+ answers\n/)
      expect(junit(run)).toMatch(XML)
      for (const { verdict, violations } of run.results) expect(violations.length > 0).toBe(verdict === 'failed')
    },
  )
})

const GROUPS = contract.flatMap(({ name, outcomes }) => outcomes.map((outcome) => `${name} ${outcome}`))

const isUnreadable = ({ differences }: Result['violations'][number]) =>
  differences.some(({ expected }) => expected === UNREADABLE)

/** In the few forms that are written: anything else is no XML, or nothing that readers of JUnit know. */
const TEXT = '(?:[^<>&"]|&(?:amp|lt|gt|quot|#10);)*'
const ATTRIBUTES = `(?: [a-z]+="${TEXT}")*`
const INSIDE = `(?:<(?:failure|error|skipped)${ATTRIBUTES}>${TEXT}</(?:failure|error|skipped)>)?`
const XML = RegExp(
  `^<\\?xml version="1.0" encoding="UTF-8"\\?>\n<testsuite${ATTRIBUTES}>\n(?:<testcase${ATTRIBUTES}>${INSIDE}</testcase>\n)+<system-out>${TEXT}</system-out>\n</testsuite>\n$`,
)

test('a generated fault is shown by its smallest body, and again by its seed', async () => {
  const server = await buildTestApp()
  const backend = await serveFaulty(server.app, {
    make: () => (call, right) => {
      const isFault = call.url === '/api/contact-us' && call.body.includes('\u00df')
      return isFault ? { status: 500, headers: {}, body: '' } : right(call)
    },
  })
  const only = 'contactUs received 200 generated'
  const shown = async (seed: number) =>
    (await check(backend.host, { only, runs: 200, seed })).flatMap(({ violations }) => violations)
  const [first, again] = [await shown(SEED), await shown(SEED)]
  await backend.close()
  await server.close()
  expect(first).toHaveLength(1)
  const sentOf = (violations: typeof first) =>
    violations[0]?.request
      .split('\n')
      .at(-1)
      ?.replaceAll(/contract\+[0-9a-f]+/g, '')
  expect(sentOf(first)).toContain('"ß"')
  expect(sentOf(again)).toEqual(sentOf(first))
})

test('a 503 without Retry-After is named, beside the status that was expected', async () => {
  const server = await buildTestApp()
  const headers = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' }
  const body = JSON.stringify({ title: 'Unavailable', status: 503 })
  const backend = await serveFaulty(server.app, { make: () => () => ({ status: 503, headers, body }) })
  const [result] = await check(backend.host, { only: 'subscribe', quick: true })
  await backend.close()
  await server.close()
  expect(result?.violations[0]?.differences).toEqual([
    { expected: '200', actual: '503 application/problem+json' },
    { expected: 'the header Retry-After', actual: 'none' },
  ])
})
