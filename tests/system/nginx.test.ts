import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { MAX_BODY_BYTES } from '../../server/http/problems.ts'
import {
  type Deployment,
  expectBareLogs,
  expectProblemAnswer,
  portOf,
  startDeployment,
} from '../support/server/deployment.ts'
import { freePort } from '../support/server/free-port.ts'
import { type Answer, CLIENTS, type Nginx, sendPlain } from '../support/server/nginx.ts'
import { enquiryBody, jsonCall } from '../support/server/post.ts'
import { query } from '../support/server/postgres.ts'
import { until } from '../support/until.ts'

let deployment: Deployment
let nginx: Nginx
let behind: string
beforeAll(async () => {
  deployment = await startDeployment({ RATE_LIMIT: 'on', RATE_LIMIT_CONTACT_US: '999999/minute 999999/hour' })
  nginx = deployment.nginx
  behind = portOf(deployment.servers[0])
  return deployment.remove
})

/** Headers that may differ: of this connection, of this moment, of this way to name a state of a file. */
const OWN = ['server', 'date', 'connection', 'keep-alive', 'etag', 'last-modified', 'transfer-encoding']
const headersOf = ({ headers }: Answer, except: string[]) =>
  Object.entries(headers)
    .filter(([name]) => ![...OWN, ...except].includes(name))
    .map(([name, value]) => `${name}: ${name === 'vary' ? String(value).toLowerCase() : value}`)
    .toSorted()

const ASSETS = readdirSync('dist/assets').filter((name) => !/\.(br|gz)$/.test(name))
const script = ASSETS.find((name) => name.endsWith('.js'))
const picture = ASSETS.find((name) => name.endsWith('.avif'))

test.each([
  ['br, gzip', '.br'],
  ['gzip', '.gz'],
  ['identity', ''],
])('every file is the one of the build, for who accepts %s', async (accepted, form) => {
  const call = { headers: { 'accept-encoding': accepted } }
  const files = { '/': 'index.html', '/privacy': 'privacy.html', [`/assets/${script}`]: `assets/${script}` }
  for (const [path, file] of Object.entries(files)) {
    const [ours, theirs] = [await nginx.send(path, call), await sendPlain(behind, path, call)]
    expect([ours.status, ours.body.equals(readFileSync(join(deployment.dist, file + form)))]).toEqual([200, true])
    expect(headersOf(ours, ['accept-ranges'])).toEqual(headersOf(theirs, ['accept-ranges']))
  }
})

// nginx writes a few words under a redirect.
const REDIRECT = ['content-type', 'content-length']
test.each<[string, string, string[]]>([
  ['GET', `/assets/${picture}`, ['vary']],
  ['GET', '/touch-icon.png', ['vary']],
  ['HEAD', '/', ['accept-ranges']],
  ['HEAD', '/privacy', ['accept-ranges']],
  ['GET', '/assets/none.js', []],
  ['GET', `/assets/${script}.br`, []],
  ['GET', '/somewhere/else?utm=1&x=//evil.example', REDIRECT],
  ['GET', '//evil.example/?x', REDIRECT],
  ['GET', '/index.html', REDIRECT],
  ['GET', '/index.html.br', REDIRECT],
  ['GET', '/privacy.html', REDIRECT],
  ['GET', '/privacy/', REDIRECT],
  ['GET', '/pages.json?x', REDIRECT],
  ['GET', '/healthz', []],
  ['HEAD', '/readyz', []],
  ['POST', '/readyz', []],
  ['POST', '/', []],
  ['POST', '/privacy', []],
  ['DELETE', '/assets/none.js', []],
  ['GET', '/api/subscribe', []],
  ['GET', '/api', []],
])('%s %s is answered as the servers do', async (method, path, except) => {
  const [ours, theirs] = [await nginx.send(path, { method }), await sendPlain(behind, path, { method })]
  expect([ours.status, ...headersOf(ours, except)]).toEqual([theirs.status, ...headersOf(theirs, except)])
  if (except !== REDIRECT) expect(ours.body.equals(theirs.body)).toBe(true)
})

test.each(['/', '/privacy'])('%s is answered 304 with its policy while it is the same', async (path) => {
  const { headers } = await nginx.send(path)
  const again = await nginx.send(path, { headers: { 'if-none-match': String(headers.etag) } })
  expect([again.status, again.body.length]).toEqual([304, 0])
  for (const name of ['content-security-policy', 'cache-control', 'strict-transport-security'])
    expect(again.headers[name]).toBe(headers[name])
})

test('what nginx itself refuses is a problem with every header', async () => {
  const { headers } = await nginx.send('/none')
  const names = ['content-security-policy', 'strict-transport-security', 'x-content-type-options'] as const
  const refused: [number, Promise<Answer>][] = [
    [413, nginx.send('/api/contact-us', jsonCall({ email: 'x'.repeat(70_000) }))],
    [431, nginx.send('/api/subscribe', { headers: { x: 'x'.repeat(20_000) } })],
    [431, nginx.send(`/${'x'.repeat(20_000)}`)],
    [400, nginx.send('/%zz')],
    [400, sendPlain(nginx.port, '/')],
    [405, nginx.send('/api/subscribe', { method: 'TRACE' })],
  ]
  for (const [status, sent] of refused) {
    const answer = await sent
    expectProblemAnswer(answer, status)
    expect(names.map((name) => answer.headers[name])).toEqual(names.map((name) => headers[name]))
  }
})

test('http leads to https, and no log holds an address or a path, whatever comes', async () => {
  const { status, headers } = await sendPlain(nginx.plainPort, '/x?y')
  expect([status, headers.location]).toEqual([301, 'https://example.com/x?y'])
  for (const bytes of ['nonsense\r\n\r\n', 'VISITOR / HTTP/1.1\r\n\r\n', 'GET / HTTP/1.1\r\nno header\r\n\r\n']) {
    for (const port of [nginx.port, nginx.plainPort]) {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      socket.end(bytes)
      await text(socket).catch(() => '')
    }
  }
  expectBareLogs(deployment)
})

test('a request for another host, or for none, is closed without an answer', async () => {
  const CLOSED = { code: 'ECONNRESET' }
  for (const host of ['other.example', '127.0.0.1', '']) {
    await expect(sendPlain(nginx.plainPort, '/', { headers: { host } })).rejects.toMatchObject(CLOSED)
    await expect(nginx.send('/', { headers: { host } })).rejects.toMatchObject(CLOSED)
  }
  for (const bytes of ['GET / HTTP/1.0\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', 'nonsense\r\n\r\n'])
    await expect(text(connect(nginx.plainPort, '127.0.0.1').end(bytes))).rejects.toMatchObject(CLOSED)
  for (const servername of ['other.example', '']) {
    const socket = connectTls({ host: '127.0.0.1', port: nginx.port, servername, rejectUnauthorized: false })
    await expect(once(socket, 'secureConnect')).rejects.toThrow('unrecognized name')
  }
})

test('nginx passes on a body of 65,536 bytes, and refuses a larger one without a server', async () => {
  const sendBody = (bytes: number) =>
    nginx.send('/api/contact-us', jsonCall({ email: 'x'.repeat(bytes - '{"email":""}'.length) }))
  expect((await sendBody(MAX_BODY_BYTES)).status).toBe(422)
  expect((await sendBody(MAX_BODY_BYTES + 1)).status).toBe(413)
  await until(() => / POST 413 .* upstream_addr="-" /.test(nginx.logs().split('\n').at(-2) ?? ''))
})

test('the limits hold for each client over both servers, whatever it says of itself', async () => {
  const clients = CLIENTS.slice(0, 16)
  const statuses: number[] = []
  for (const from of clients) {
    for (let i = 0; i < 12; i++) {
      const lie = { 'x-forwarded-for': `192.0.2.${i}`, 'x-real-ip': `192.0.2.${i}`, forwarded: `for=192.0.2.${i}` }
      const call = jsonCall({ email: `limited${i}-${from}@example.com` }, lie)
      statuses.push((await nginx.send('/api/subscribe', { ...call, from })).status)
    }
  }
  expect(statuses).toEqual(clients.flatMap(() => [...Array(10).fill(200), 429, 429]))
  expect(await query(deployment.databaseUrl, 'select 1 from subscribers')).toHaveLength(10 * clients.length)
})

test('every address of a /64 is one client, and IPv4 addresses are one each', async () => {
  const [map] = /^map \$binary_remote_addr .+?^\}/ms.exec(readFileSync('deploy/nginx.conf', 'utf8')) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'map-'))
  const [port, file] = [await freePort(), join(folder, 'nginx.conf')]
  writeFileSync(
    file,
    `daemon off; pid ${folder}/pid; error_log stderr emerg; events {} http { access_log off; ${map}
     server { listen 127.0.0.1:${port}; set_real_ip_from 127.0.0.1; return 200 $launching_soon_client; } }`,
  )
  const child = spawn('nginx', ['-c', file, '-e', 'stderr'], { stdio: 'inherit' })
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await once(child, 'close')
    rmSync(folder, { recursive: true })
  })
  const clientOf = async (address: string) =>
    (await sendPlain(port, '/', { headers: { 'x-real-ip': address } })).body.toString('hex')
  await until(() => clientOf('192.0.2.1').catch(() => null))
  expect(await clientOf('192.0.2.1')).toBe('c0000201')
  expect(await clientOf('192.0.2.2')).toBe('c0000202')
  // Bytes that end a line or a string in other programs.
  for (const address of ['2001:db8:a0a:d::1', '2001:db8:a0a:d:a00::a', '2001:db8:a0a:d:ffff:ffff:ffff:ffff'])
    expect(await clientOf(address)).toBe('20010db80a0a000d')
  expect(await clientOf('2001:db8:0:ff00::1')).toBe('20010db80000ff00')
})

test('/readyz and /healthz tell from outside what the servers tell', async () => {
  const name = new URL(deployment.databaseUrl).pathname.slice(1)
  const change = (statement: string) => query(inject('postgresUrl'), statement)
  const statusOf = async (path: string) => (await nginx.send(path)).status
  expect(await statusOf('/readyz')).toBe(200)
  await change(`alter database ${name} allow_connections false`)
  await change(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  await until(async () => (await statusOf('/readyz')) === 503)
  expectProblemAnswer(await nginx.send('/readyz'), 503)
  expect(await statusOf('/healthz')).toBe(200)
  await change(`alter database ${name} allow_connections true`)
  await until(async () => (await statusOf('/readyz')) === 200)
})

// The last one, for it leaves no server.
test('of servers that hang or are gone the log tells which and how, and of no client; only an enquiry is never sent twice', async () => {
  const { servers } = deployment
  const [one, other] = servers.map((server) => `127.0.0.1:${portOf(server)}`)
  /** Calls from many addresses until a line of the log tells of `expected`. */
  const callUntil = (path: string, body: object, ...expected: string[]) =>
    until(async () => {
      await Promise.all(CLIENTS.slice(16).map((from) => nginx.send(path, { ...jsonCall(body), from })))
      const lines = nginx.logs().split('\n')
      return lines.some((line) => expected.every((part) => line.includes(part)))
    })
  const both = `upstream_addr="${one}, ${other}"`
  servers[0].signal('SIGSTOP')
  await callUntil('/api/subscribe', { email: 'a@example.com' }, ' POST 200 ', both, 'upstream_status="504, 200"')
  await callUntil('/api/contact-us', enquiryBody('x'), ' POST 503 ', `upstream_addr="${one}"`, 'upstream_status="504"')
  servers[0].signal('SIGKILL')
  await servers[0].exited
  await callUntil('/api/contact-us', enquiryBody('x'), ' POST 200 ', both, 'upstream_status="502, 200"')
  // Visitors notice nothing of one server that is gone.
  for (const from of CLIENTS) expect((await nginx.send('/readyz', { from })).status).toBe(200)
  servers[1].signal('SIGKILL')
  await servers[1].exited
  await callUntil('/api/contact-us', enquiryBody('x'), ' POST 503 ', 'upstream_addr="launching_soon"', '"502"')
  for (const path of ['/readyz', '/healthz']) expectProblemAnswer(await nginx.send(path), 503)
  expectBareLogs(deployment)
})
