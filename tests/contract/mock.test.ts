import { createLogger, createServer } from 'vite'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { readOperations, startMock } from '../../dev/mock.ts'
import { mockedPage } from '../../dev/mocked-page.ts'
import { scenariosOf } from '../../dev/scenarios.ts'
import type { Backend } from '../../src/domain/ports.ts'
import { contract, documentedAnswers, operationOf } from '../support/contract/contract.ts'
import { backendAt, ENQUIRY } from '../support/visitors.ts'

const DELAY_MS = 300

const operations = await readOperations()
const scenarios = scenariosOf(operations)
const mock = await startMock(operations)
const vite = await createServer({
  configFile: false,
  appType: 'custom',
  optimizeDeps: { noDiscovery: true },
  server: { port: 0, ws: false },
  customLogger: createLogger('silent'),
  plugins: [mockedPage({ current: () => ({ text: '', operations: contract, scenarios, mock }) }, DELAY_MS)],
})
await vite.listen()
afterAll(() => Promise.all([vite.close(), mock.close()]))
const page = vite.resolvedUrls?.local[0] ?? ''

/** The call of an operation, by default with its own example, from a page whose address has this query. */
async function call(operation: string, query: string, body?: unknown) {
  const { path, requestExamples } = operationOf(operation)
  const response = await fetch(new URL(path, page), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Referer: `${page}${query}` },
    body: JSON.stringify(body ?? requestExamples[0]?.value),
  })
  return { status: response.status, mediaType: response.headers.get('Content-Type'), value: await response.json() }
}

const callOf: Record<string, (backend: Backend) => Promise<string>> = {
  subscribe: (backend) => backend.subscribe('visitor@example.com'),
  contactUs: (backend) => backend.sendEnquiry(ENQUIRY),
}

// The page knows each 2xx by the name of its example.
test.each(documentedAnswers)('httpBackend understands the mock: $operation: $status $example', async (documented) => {
  const { operation, status, mediaType, example, value } = documented
  expect(await call(operation, `?mock=${example}`)).toEqual({ status, mediaType, value })
  const answering = await startMock(operations, { code: status, exampleKey: example })
  onTestFinished(() => answering.close())
  expect(await callOf[operation]?.(backendAt(answering.origin))).toBe(status < 300 ? example : 'failed')
})

test.each(['', '?mock=', '?other=503', '?mock=already-subscribed'])(
  '%s leaves an operation without such an example its first one',
  async (query) => expect((await call('contactUs', query)).value).toEqual({ success: true }),
)

test('?mock=slow answers as always, later', async () => {
  const started = performance.now()
  expect((await call('subscribe', '?mock=slow')).value).toEqual({ success: true, email_exists: false })
  // A timer of Node may fire up to a millisecond early.
  expect(performance.now() - started).toBeGreaterThanOrEqual(DELAY_MS - 1)
})

test('an unknown scenario is answered with the list, which has each once', async () => {
  const { value, ...answer } = await call('subscribe', '?mock=nonsense')
  expect(answer).toEqual({ status: 400, mediaType: 'application/problem+json' })
  const names = documentedAnswers.flatMap(({ example, status }) => [example, String(status)])
  const listed = value.detail.replace(/.*There are: |\.$/g, '').split(', ')
  expect(listed.toSorted()).toEqual([...new Set(names), 'slow', 'offline'].toSorted())
})

test('what breaks the contract is refused in every scenario', async () => {
  expect((await call('subscribe', '?mock=already-subscribed', { email: 'plain' })).status).toBe(422)
})
