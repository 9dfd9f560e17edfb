import { createServer } from 'vite'
import { afterAll, expect, test } from 'vitest'
import { mock } from '../../tools/dev/mock.ts'
import { documentedAnswers } from '../support/contract/contract.ts'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { localServer, says } from '../support/local-server.ts'
import { backendAt } from '../support/visitors.ts'

const vite = await createServer({
  configFile: false,
  logLevel: 'silent',
  server: { port: 0, watch: null },
  plugins: [mock()],
})
await vite.listen()
const page = vite.resolvedUrls?.local[0] ?? ''
afterAll(() => vite.close())

/** A call of an operation in a scenario of the mock. */
async function call(operation: string, scenario: string) {
  const [path, sent] = operation === 'subscribe' ? ['subscribe', subscriptionOf()] : ['contact-us', bodyOf(anEnquiry())]
  const headers = { 'Content-Type': 'application/json', Referer: `${page}?mock=${scenario}` }
  const response = await fetch(`${page}api/${path}`, { method: 'POST', headers, body: JSON.stringify(sent) })
  return { status: response.status, mediaType: response.headers.get('Content-Type'), value: await response.json() }
}

// An outcome of the page has the name of its example. An error without an outcome of its own is the outcome 'failed'.
test.each(documentedAnswers)('the page understands $example of $operation from the mock', async (documented) => {
  const { operation, status, mediaType, example, value } = documented
  expect(await call(operation, example)).toEqual({ status, mediaType, value })
  const { origin } = await localServer(says(JSON.stringify(value), status))
  const { subscribe, sendEnquiry } = backendAt(origin)
  const outcome = operation === 'subscribe' ? subscribe('visitor@example.com') : sendEnquiry(anEnquiry())
  // An outcome with a value is an object, which has that name too.
  expect(JSON.stringify(await outcome)).toMatch(status === 200 ? `"${example}"` : RegExp(`"(${example}|failed)"`))
})

const JSON_TYPE = { 'Content-Type': 'application/json' }
test.each<[example: string, path: string, init: RequestInit]>([
  ['not-json', 'subscribe', { method: 'POST', headers: JSON_TYPE, body: '{' }],
  ['not-found', 'nowhere', { method: 'POST', headers: JSON_TYPE, body: '{}' }],
  ['method-not-allowed', 'subscribe', {}],
])('a call that the mock itself refuses gets the example %s of the contract', async (example, path, init) => {
  const response = await fetch(`${page}api/${path}`, init)
  const [mediaType, cacheControl] = ['Content-Type', 'Cache-Control'].map((name) => response.headers.get(name))
  const answer = { status: response.status, mediaType, value: await response.json() }
  expect(documentedAnswers).toContainEqual(expect.objectContaining({ example, ...answer }))
  expect(cacheControl).toBe('no-store')
})

test('a contract that can not be read does not stop the start', async () => {
  const vite = await createServer({ configFile: false, logLevel: 'silent', plugins: [mock('no-such-file.yaml')] })
  await vite.close()
})

test('in the scenario offline the connection drops', async () => {
  await expect(call('subscribe', 'offline')).rejects.toThrow('fetch failed')
})
