import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Mock, readOperations, startMock } from '../../dev/mock.ts'
import { mockProxy } from '../../dev/mock-proxy.ts'
import { scenariosOf } from '../../dev/scenarios.ts'
import { answerValidator, documentedAnswers, operationOf } from '../support/contract/contract.ts'

const DELAY_MS = 300

const operations = await readOperations()
const scenarios = scenariosOf(operations)
const warnings: string[] = []
let mock: Mock
let vite: ViteDevServer
let page: string

beforeAll(async () => {
  const root = await mkdtemp(join(tmpdir(), 'mock-proxy-'))
  await writeFile(join(root, 'index.html'), '<title>A page</title>')
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

afterAll(() => Promise.all([vite.close(), mock.close()]))

/** The call of an operation with its own example, from a page whose address has this query. */
function call(operation: string, query: string): Promise<Response> {
  const { path, requestExamples } = operationOf(operation)
  return fetch(new URL(path, page), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Referer: `${page}${query}` },
    body: JSON.stringify(requestExamples[0]?.value),
  })
}

describe('the page names the scenario', () => {
  test.each(documentedAnswers)('?mock=$example is the answer to $operation', async (documented) => {
    const response = await call(documented.operation, `?mock=${documented.example}`)
    expect(response.status).toBe(documented.status)
    expect(response.headers.get('Content-Type')).toBe(documented.mediaType)
    expect(await response.json()).toEqual(documented.value)
  })

  test.each([...new Set(documentedAnswers.map(({ status }) => status))])(
    '?mock=%i is an answer of that status',
    async (status) => {
      const response = await call('subscribe', `?mock=${status}`)
      expect(response.status).toBe(status)
      expect(await response.json()).toSatisfy(answerValidator('subscribe', status))
    },
  )

  test.each(['', '?mock=', '?other=503'])('%s leaves the first example of each operation', async (query) => {
    expect(await (await call('subscribe', query)).json()).toEqual({ success: true, email_exists: false })
    expect(await (await call('contactUs', query)).json()).toEqual({ success: true })
  })

  test('an operation without the example answers as it always does', async () => {
    const response = await call('contactUs', '?mock=already-subscribed')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ success: true })
  })

  test('?mock=slow answers as always, later', async () => {
    const started = performance.now()
    const response = await call('subscribe', '?mock=slow')
    expect(await response.json()).toEqual({ success: true, email_exists: false })
    // A timer of Node may fire up to a millisecond early.
    expect(performance.now() - started).toBeGreaterThanOrEqual(DELAY_MS - 1)
  })

  test('?mock=offline drops the connection', async () => {
    await expect(call('subscribe', '?mock=offline')).rejects.toThrow('fetch failed')
  })

  test('an unknown scenario is answered with the list, and logged in the terminal', async () => {
    const response = await call('subscribe', '?mock=nonsense')
    expect(response.status).toBe(400)
    expect(response.headers.get('Content-Type')).toBe('application/problem+json')
    const problem = await response.json()
    for (const name of scenarios.keys()) expect(problem.detail).toContain(name)
    expect(warnings).toEqual([problem.detail])
  })

  test('a call from no page may choose by the Prefer header', async () => {
    const response = await fetch(`${page}api/subscribe`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Prefer: 'example=declined' },
      body: JSON.stringify({ email: 'visitor@example.com' }),
    })
    expect(await response.json()).toMatchObject({ success: false })
  })

  test('what breaks the contract is refused in every scenario', async () => {
    const response = await fetch(`${page}api/subscribe`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Referer: `${page}?mock=already-subscribed` },
      body: JSON.stringify({ email: 'plain' }),
    })
    expect(response.status).toBe(422)
  })
})

test('the list names every example once, every status and both faults', () => {
  const names = documentedAnswers.flatMap(({ example, status }) => [example, String(status)])
  expect([...scenarios.keys()].sort()).toEqual([...new Set(names), 'slow', 'offline'].sort())
})
