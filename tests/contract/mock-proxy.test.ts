import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mock, readOperations, startMock } from '../../dev/mock.ts'
import { mockProxy } from '../../dev/mock-proxy.ts'
import { scenariosOf } from '../../dev/scenarios.ts'
import { documentedAnswers, operationOf } from '../support/contract/contract.ts'

const DELAY_MS = 300

const operations = await readOperations()
const scenarios = scenariosOf(operations)
const root = mkdtempSync(join(tmpdir(), 'mock-proxy-'))
const warnings: string[] = []
let mock: Mock
let vite: ViteDevServer
let page: string

beforeAll(async () => {
  writeFileSync(join(root, 'index.html'), '<title>A page</title>')
  mock = await startMock(operations)
  vite = await createServer({
    root,
    configFile: false,
    server: { port: 0, ws: false },
    customLogger: { ...createLogger('silent'), warn: (line) => warnings.push(line) },
    plugins: [mockProxy({ current: () => ({ target: mock.origin, scenarios }), delayMs: DELAY_MS })],
  })
  await vite.listen()
  page = vite.resolvedUrls?.local[0] ?? ''
})

afterAll(async () => {
  await Promise.all([vite.close(), mock.close()])
  rmSync(root, { recursive: true })
})

/** The call of an operation, by default with its own example, from a page whose address has this query. */
function call(operation: string, query: string, body?: unknown): Promise<Response> {
  const { path, requestExamples } = operationOf(operation)
  return fetch(new URL(path, page), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Referer: `${page}${query}` },
    body: JSON.stringify(body ?? requestExamples[0]?.value),
  })
}

test.each(documentedAnswers)('?mock=$example is the answer to $operation', async (documented) => {
  const response = await call(documented.operation, `?mock=${documented.example}`)
  expect(response.status).toBe(documented.status)
  expect(response.headers.get('Content-Type')).toBe(documented.mediaType)
  expect(await response.json()).toEqual(documented.value)
})

test.each(['', '?mock=', '?other=503', '?mock=already-subscribed'])(
  '%s leaves an operation without such an example its first one',
  async (query) => {
    expect(await (await call('contactUs', query)).json()).toEqual({ success: true })
  },
)

test('?mock=slow answers as always, later', async () => {
  const started = performance.now()
  expect(await (await call('subscribe', '?mock=slow')).json()).toEqual({ success: true, email_exists: false })
  // A timer of Node may fire up to a millisecond early.
  expect(performance.now() - started).toBeGreaterThanOrEqual(DELAY_MS - 1)
})

test('an unknown scenario is answered with the list, which has each once, and logged in the terminal', async () => {
  const response = await call('subscribe', '?mock=nonsense')
  expect(response.status).toBe(400)
  expect(response.headers.get('Content-Type')).toBe('application/problem+json')
  const { detail } = await response.json()
  const names = documentedAnswers.flatMap(({ example, status }) => [example, String(status)])
  const listed = detail.replace(/.*There are: |\.$/g, '').split(', ')
  expect(listed.toSorted()).toEqual([...new Set(names), 'slow', 'offline'].toSorted())
  expect(warnings).toEqual([detail])
})

test('what breaks the contract is refused in every scenario', async () => {
  expect((await call('subscribe', '?mock=already-subscribed', { email: 'plain' })).status).toBe(422)
})
