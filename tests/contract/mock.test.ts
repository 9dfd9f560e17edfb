import { readFileSync } from 'node:fs'
import { createServer } from 'vite'
import { afterAll, expect, test } from 'vitest'
import { mock } from '../../tools/dev/mock.ts'
import { documentedAnswers } from '../support/contract/contract.ts'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { localServer, says } from '../support/local-server.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { backendAt } from '../support/visitors.ts'

const vite = await createServer({
  configFile: false,
  logLevel: 'silent',
  server: { port: 0, watch: null },
  plugins: [mock()],
})
await vite.listen()
const page = vite.resolvedUrls?.local[0] ?? ''
// The sixth enquiry of the guide exceeds the limit, even if the earlier calls were slow.
const limits = { RATE_LIMIT: true, RATE_LIMIT_CONTACT_US: { minute: 5, hour: 5 } }
const server = await buildTestApp({ access: limits })
/** The origins by the ports that the guide names. */
const origins: Record<string, string> = { '8080': await server.listen(), '5173': new URL(page).origin }
afterAll(() => Promise.all([vite.close(), server.close()]))

/** A call of an operation in a scenario of the mock. */
async function call(operation: string, scenario: string) {
  const [path, sent] = operation === 'subscribe' ? ['subscribe', subscriptionOf()] : ['contact-us', bodyOf(anEnquiry())]
  const headers = { 'Content-Type': 'application/json', Referer: `${page}?mock=${scenario}` }
  const response = await fetch(`${page}api/${path}`, { method: 'POST', headers, body: JSON.stringify(sent) })
  return { status: response.status, mediaType: response.headers.get('Content-Type'), value: await response.json() }
}

// An outcome of the page has the name of its example.
test.each(documentedAnswers)('the page understands $example of $operation from the mock', async (documented) => {
  const { operation, status, mediaType, example, value } = documented
  expect(await call(operation, example)).toEqual({ status, mediaType, value })
  const { origin } = await localServer(says(JSON.stringify(value), status))
  const { subscribe, sendEnquiry } = backendAt(origin)
  const outcome = operation === 'subscribe' ? subscribe('visitor@example.com') : sendEnquiry(anEnquiry())
  expect(await outcome).toBe(status === 200 ? example : 'failed')
})

const JSON_TYPE = { 'Content-Type': 'application/json' }
test.each<[example: string, path: string, init: RequestInit]>([
  ['not-json', 'subscribe', { method: 'POST', headers: JSON_TYPE, body: '{' }],
  ['not-found', 'nowhere', { method: 'POST', headers: JSON_TYPE, body: '{}' }],
  ['method-not-allowed', 'subscribe', {}],
  ['unsupported-media-type', 'subscribe', { method: 'POST', body: 'text' }],
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

const GUIDE = readFileSync('docs/implementing-the-contract.md', 'utf8')

/** Reads a command line of curl, in the form that the guide uses, so that it runs on machines without curl. */
function readCurl(command: string) {
  const [, method = 'GET', url = '', optionsText = ''] =
    /^curl -i(?: -X ([A-Z]+))? (http:[^\s'"$]+)(.*)$/s.exec(command) ?? []
  const options = [...optionsText.matchAll(/ \\\n {2}(-H|-d|--data-binary) (?:'([^']*)'|@([\w./-]+))/g)]
  if (url === '' || options.map(([option]) => option).join('') !== optionsText)
    throw new Error(`Not in that form: ${command}`)
  const headers = options.flatMap(([, name, value = '']) => (name === '-H' ? [value.split(/: (.*)/s, 2)] : []))
  const [, , text, file] = options.find(([, name]) => name !== '-H') ?? []
  const body = file ? readFileSync(file, 'utf8') : (text ?? null)
  return { url, init: { method, headers: Object.fromEntries(headers), body } }
}

/** Every command line of the guide, in its order, with the answer that the guide shows below it. */
const COMMANDS = [...GUIDE.matchAll(/```sh\n(.+?)\n```\n```http\n(.+?)\n\n(.+?)\n```/gs)].map(
  ([, command = '', head = '', body = '']) => {
    const [status = '', ...headers] = head.split('\n')
    return { ...readCurl(command), status: Number(status.split(' ')[1]), headers, answer: JSON.parse(body) }
  },
)

test('the guide shows every example, and the answer to each command line', () => {
  const headings = [...GUIDE.matchAll(/^### (\S+)$/gm)].map(([, name]) => name)
  expect(new Set(headings)).toEqual(new Set(documentedAnswers.map(({ example }) => example)))
  expect(COMMANDS.length).toBe(GUIDE.match(/\bcurl -/g)?.length)
})

// In one test, since an answer depends on the calls above it.
test('the command lines of the guide get the answers that the guide shows', async () => {
  for (const { url, init, status, headers, answer } of COMMANDS) {
    const { port, pathname } = new URL(url)
    const response = await fetch(origins[port] + pathname, init)
    expect([response.status, await response.json()]).toEqual([status, answer])
    for (const header of headers) {
      const [name = '', value = ''] = header.split(/: (.*)/)
      const received = `${response.headers.get(name)}`
      // `…` stands for a part that differs each time.
      const [start = '', end] = value.split('…')
      if (end === undefined) expect(received).toBe(value)
      else expect(received.startsWith(start) && received.endsWith(end), header).toBe(true)
    }
  }
})
