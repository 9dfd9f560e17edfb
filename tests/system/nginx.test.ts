import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { beforeAll, expect, test } from 'vitest'
import { MAX_BODY_BYTES } from '../../server/http/problems.ts'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import {
  type Answer,
  type Deployment,
  type Nginx,
  portOf,
  sendPlain,
  startDeployment,
} from '../support/server/nginx.ts'
import { jsonCall } from '../support/server/post.ts'
import { query } from '../support/server/postgres.ts'
import { expectProblem } from '../support/server/problem.ts'
import { until } from '../support/until.ts'

/** Addresses of loopback: so many that each server gets some, however nginx hashes them. */
const CLIENTS = Array.from({ length: 64 }, (_, i) => `127.0.0.${i + 1}`)

const ENQUIRY = bodyOf(anEnquiry())

let deployment: Deployment
let nginx: Nginx
let behind: string
beforeAll(async () => {
  deployment = await startDeployment({ RATE_LIMIT: 'on', RATE_LIMIT_CONTACT_US: '999999/minute 999999/hour' })
  nginx = deployment.nginx
  behind = portOf(deployment.servers[0])
  return deployment.remove
})

/** What a log may tell: a time, a method, a status, durations and our servers; no client, no path. */
const LINE =
  /^[\d-]{10}T[\d:]{8}\+\d\d:\d\d (GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|-) \d{3} \d+\.\d{3} upstream_addr="((-|launching_soon|127\.0\.0\.1:\d+)(, |"))+ upstream_status="[\d, -]+" upstream_connect_time="[\d., -]+" upstream_response_time="[\d., -]+"$/

const logLines = () => nginx.logs().trimEnd().split('\n')
const expectBareLogs = () => expect(logLines().filter((line) => !LINE.test(line))).toEqual([])

/** Headers that may differ: of this connection, of this moment, of this way to name a state of a file. */
const OWN = ['server', 'date', 'connection', 'keep-alive', 'etag', 'last-modified', 'transfer-encoding']
const headersOf = ({ headers }: Answer, except: string[]) =>
  Object.entries(headers)
    .filter(([name]) => ![...OWN, ...except].includes(name))
    .map(([name, value]) => `${name}: ${name === 'vary' ? String(value).toLowerCase() : value}`)
    .toSorted()

const SCRIPT = 'assets/app-1a2b3c.js'

test.each([
  ['br, gzip', '.br'],
  ['gzip', '.gz'],
  ['identity', ''],
])('every file is the one of the build, for who accepts %s', async (accepted, form) => {
  const call = { headers: { 'accept-encoding': accepted } }
  const files = { '/': 'index.html', '/privacy': 'privacy.html', [`/${SCRIPT}`]: SCRIPT }
  for (const [path, file] of Object.entries(files)) {
    const [ours, theirs] = [await nginx.send(path, call), await sendPlain(behind, path, call)]
    expect([ours.statusCode, ours.body.equals(readFileSync(join(deployment.dist, file + form)))]).toEqual([200, true])
    expect(headersOf(ours, ['accept-ranges'])).toEqual(headersOf(theirs, ['accept-ranges']))
    // A browser keeps what it has for as long as the 304 says.
    const again = await nginx.send(path, { headers: { ...call.headers, 'if-none-match': `${ours.headers.etag}` } })
    expect([again.statusCode, again.headers['cache-control']]).toEqual([304, ours.headers['cache-control']])
  }
})

// nginx writes a few words under a redirect.
const REDIRECT = ['content-type', 'content-length']
test.each<[string, string, string[]]>([
  ['GET', '/assets/picture.avif', ['vary']],
  ['GET', '/touch-icon.png', ['vary']],
  ['HEAD', '/', ['accept-ranges']],
  ['GET', '/assets/none.js', []],
  ['GET', `/${SCRIPT}.br`, []],
  ['GET', '/somewhere/else?utm=1&x=//evil.example', REDIRECT],
  ['GET', '//evil.example/?x', REDIRECT],
  ['GET', '/index.html', REDIRECT],
  ['GET', '/index.html.br', REDIRECT],
  ['GET', '/privacy/', REDIRECT],
  ['GET', '/pages.json?x', REDIRECT],
  ['GET', '/healthz', []],
  ['HEAD', '/readyz', []],
  ['POST', '/', []],
  ['DELETE', '/assets/none.js', []],
  ['GET', '/api/subscribe', []],
])('%s %s is answered as the servers do', async (method, path, except) => {
  const [ours, theirs] = [await nginx.send(path, { method }), await sendPlain(behind, path, { method })]
  expect([ours.statusCode, ...headersOf(ours, except)]).toEqual([theirs.statusCode, ...headersOf(theirs, except)])
  if (except !== REDIRECT) expect(ours.body.equals(theirs.body)).toBe(true)
})

test('what is refused is a problem with every header, by nginx itself too; the largest body is as for the servers', async () => {
  const sendBody = (bytes: number) =>
    nginx.send('/api/contact-us', jsonCall({ email: 'x'.repeat(bytes - '{"email":""}'.length) }))
  const { headers } = await nginx.send('/none')
  const names = ['content-security-policy', 'strict-transport-security', 'x-content-type-options'] as const
  const refused: [number, Promise<Answer>][] = [
    [422, sendBody(MAX_BODY_BYTES)],
    [413, sendBody(MAX_BODY_BYTES + 1)],
    [431, nginx.send('/api/subscribe', { headers: { x: 'x'.repeat(20_000) } })],
    [431, nginx.send(`/${'x'.repeat(20_000)}`)],
    [400, nginx.send('/%zz')],
    [400, sendPlain(nginx.port, '/')],
    [405, nginx.send('/api/subscribe', { method: 'TRACE' })],
  ]
  for (const [status, sent] of refused) {
    const answer = await sent
    expectProblem(answer, status)
    expect(names.map((name) => answer.headers[name])).toEqual(names.map((name) => headers[name]))
  }
})

test('http leads to https, and no log holds an address or a path, whatever comes', async () => {
  const { statusCode, headers } = await sendPlain(nginx.plainPort, '/x?y')
  expect([statusCode, headers.location]).toEqual([301, 'https://example.com/x?y'])
  // Not so for who renews the certificate.
  expect((await sendPlain(nginx.plainPort, '/.well-known/acme-challenge/none')).statusCode).toBe(404)
  for (const bytes of ['nonsense\r\n\r\n', 'VISITOR / HTTP/1.1\r\n\r\n', 'GET / HTTP/1.1\r\nno header\r\n\r\n']) {
    for (const port of [nginx.port, nginx.plainPort]) {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      socket.end(bytes)
      await text(socket).catch(() => '')
    }
  }
  expectBareLogs()
})

test('a request for another host, or for none, is closed without an answer', async () => {
  const closed = { code: 'ECONNRESET' }
  for (const host of ['other.example', '127.0.0.1', '']) {
    await expect(sendPlain(nginx.plainPort, '/', { headers: { host } })).rejects.toMatchObject(closed)
    await expect(nginx.send('/', { headers: { host } })).rejects.toMatchObject(closed)
  }
  await expect(text(connect(nginx.plainPort, '127.0.0.1').end('nonsense\r\n\r\n'))).rejects.toMatchObject(closed)
  const socket = connectTls({ host: '127.0.0.1', port: nginx.port, rejectUnauthorized: false })
  await expect(once(socket, 'secureConnect')).rejects.toThrow('unrecognized name')
})

test('the limits hold for each client over both servers, whatever it says of itself', async () => {
  const clients = CLIENTS.slice(0, 16)
  const statuses: number[] = []
  for (const from of clients) {
    for (let i = 0; i < 12; i++) {
      const lie = { 'x-forwarded-for': `192.0.2.${i}`, 'x-real-ip': `192.0.2.${i}`, forwarded: `for=192.0.2.${i}` }
      const call = jsonCall(subscriptionOf(`limited${i}-${from}@example.com`), lie)
      statuses.push((await nginx.send('/api/subscribe', { ...call, from })).statusCode)
    }
  }
  expect(statuses).toEqual(clients.flatMap(() => [...Array(10).fill(200), 429, 429]))
  expect(await query(deployment.databaseUrl, 'select 1 from subscribers')).toHaveLength(10 * clients.length)
})

test('every address of a /64 is one client, and IPv4 addresses are one each', async () => {
  const clientOf = async (address: string) =>
    (await sendPlain(nginx.clientPort, '/', { headers: { 'x-real-ip': address } })).body.toString('hex')
  expect(await clientOf('192.0.2.1')).toBe('c0000201')
  expect(await clientOf('192.0.2.2')).toBe('c0000202')
  // Bytes that end a line or a string in other programs.
  for (const address of ['2001:db8:a0a:d::1', '2001:db8:a0a:d:a00::a', '2001:db8:a0a:d:ffff:ffff:ffff:ffff'])
    expect(await clientOf(address)).toBe('20010db80a0a000d')
  expect(await clientOf('2001:db8:0:ff00::1')).toBe('20010db80000ff00')
})

// The last one, for it leaves no server.
test('of servers that hang or are gone the log tells which and how, and of no client; only an enquiry is never sent twice', async () => {
  const { servers } = deployment
  const [one, other] = servers.map((server) => `127.0.0.1:${portOf(server)}`)
  /** Calls from many addresses until a line of the log tells of `expected`. */
  const callUntil = (path: string, body: object, ...expected: string[]) =>
    until(async () => {
      await Promise.all(CLIENTS.slice(16).map((from) => nginx.send(path, { ...jsonCall(body), from })))
      return logLines().some((line) => expected.every((part) => line.includes(part)))
    })
  const both = `upstream_addr="${one}, ${other}"`
  servers[0].signal('SIGSTOP')
  await callUntil('/api/subscribe', subscriptionOf('a@example.com'), ' POST 200 ', both, 'upstream_status="504, 200"')
  await callUntil('/api/contact-us', ENQUIRY, ' POST 503 ', `upstream_addr="${one}"`, 'upstream_status="504"')
  servers[0].signal('SIGKILL')
  await servers[0].exited
  await callUntil('/api/contact-us', ENQUIRY, ' POST 200 ', both, 'upstream_status="502, 200"')
  // Visitors notice nothing of one server that is gone.
  for (const from of CLIENTS) expect((await nginx.send('/readyz', { from })).statusCode).toBe(200)
  servers[1].signal('SIGKILL')
  await servers[1].exited
  await callUntil('/api/contact-us', ENQUIRY, ' POST 503 ', 'upstream_addr="launching_soon"', '"502"')
  for (const path of ['/readyz', '/healthz']) expectProblem(await nginx.send(path), 503)
  expectBareLogs()
})
