import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { httpBackend } from '../../src/adapters/http-backend.ts'
import { examples } from '../support/contract/examples.ts'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { answerWith, localServer } from '../support/local-server.ts'
import { TEST_TIMEOUT } from '../support/timeouts.ts'
import { until } from '../support/until.ts'

// Run the program of `npm run dev` in a shell, as npm does. The colon makes the shell wait for the program.
const command = `${JSON.parse(readFileSync('package.json', 'utf8')).scripts.dev}; :`
const env = { ...process.env, NODE_ENV: 'development', NO_COLOR: '1', HOST: '127.0.0.1', PORT: '0' }
const shell = spawn('/bin/sh', ['-c', command], { env, stdio: ['ignore', 'pipe', 'inherit'] })
const ended = once(shell.stdout, 'end')
// npm ends only the shell. The program must then end by itself.
afterAll(() => {
  shell.kill()
  return ended
})
let output = ''
shell.stdout.on('data', (chunk) => {
  output += chunk
})
const page = await until(() => /http:\/\/127.0.0.1:\d+\//.exec(output)?.[0] ?? '', TEST_TIMEOUT)

const JSON_TYPE = { 'content-type': 'application/json' }
const callWith = (body: string, headers = {}) => ({ method: 'POST', headers: { ...JSON_TYPE, ...headers }, body })

async function call(path: string, init: RequestInit) {
  const response = await fetch(new URL(path, page), init)
  return [response.status, response.headers.get('content-type'), await response.json()]
}

// An example has the same name as its outcome. An error without an outcome of its own has the outcome 'failed'.
test.each(examples)('the page understands $example of $name from the mock', async (documented) => {
  const { name, path, type, example, value } = documented
  const status = Number(documented.code)
  const sent = JSON.stringify(name === 'subscribe' ? subscriptionOf() : bodyOf(anEnquiry()))
  expect(await call(path, callWith(sent, { referer: `${page}?mock=${example}` }))).toEqual([status, type, value])
  const { origin } = await localServer(answerWith(JSON.stringify(value), status))
  const { subscribe, sendEnquiry } = httpBackend({ origin, cookies: { read: () => '', write() {} } })
  const outcome = name === 'subscribe' ? subscribe('visitor@example.com') : sendEnquiry(anEnquiry())
  expect(status === 200 ? [example] : [example, 'failed']).toContain(await outcome)
})

test.each<[example: string, path: string, init: RequestInit]>([
  ['not-json', '/api/subscribe', callWith('{')],
  ['not-found', '/api/nowhere', callWith('{}')],
  ['method-not-allowed', '/api/subscribe', {}],
])('a call that the mock itself refuses gets the example %s of the contract', async (example, path, init) => {
  const [status, type, value] = await call(path, init)
  expect(examples).toContainEqual(expect.objectContaining({ example, code: `${status}`, type, value }))
})

test.each([{ prefer: 'code=503' }, { referer: `${page}?mock=503` }])(
  'the mock gives the status that %j asks for, whatever Accept says',
  async (choice) => {
    const headers = { accept: 'application/json', ...choice }
    expect((await call('/api/subscribe', callWith(JSON.stringify(subscriptionOf()), headers)))[0]).toBe(503)
  },
)

test('HOST lets a phone reach the page by a name of the machine', async () => {
  const [{ statusCode }] = await once(get(page, { headers: { host: 'laptop.local' } }), 'response')
  expect(statusCode).toBe(200)
})

test('an example of one operation does not change the answer of another', async () => {
  const subscription = callWith(JSON.stringify(subscriptionOf()), { referer: `${page}?mock=received` })
  expect((await call('/api/subscribe', subscription))[0]).toBe(200)
})

test('in the scenario slow an answer takes three seconds', async () => {
  const start = performance.now()
  await call('/api/subscribe', callWith('{}', { referer: `${page}?mock=slow` }))
  expect(performance.now() - start).toBeGreaterThan(2990)
})

test('in the scenario offline the connection drops', async () => {
  const offline = callWith('{}', { referer: `${page}?mock=offline` })
  await expect(call('/api/subscribe', offline)).rejects.toThrow('fetch failed')
})
