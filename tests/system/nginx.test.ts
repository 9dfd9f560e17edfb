import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
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

let deployment: Deployment
let nginx: Nginx
beforeAll(async () => {
  deployment = await startDeployment({ RATE_LIMIT: 'on' })
  nginx = deployment.nginx
  return deployment.remove
})

/** Headers that differ by the connection and the moment. */
const OWN = ['server', 'date', 'connection', 'keep-alive', 'transfer-encoding', 'accept-ranges']
const headersOf = ({ headers }: Answer) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.includes(name)))

const PATHS = [
  '/',
  '/privacy',
  '/assets/app-1a2b3c.js',
  '/favicon.svg',
  '/assets/none.js',
  '/pages.json',
  '//x?y',
  '/readyz',
]

test.each(PATHS)('%s is answered as by a server, to whatever accepts what', async (path) => {
  for (const coding of ['gzip, deflate, br, zstd', 'gzip', '']) {
    const call = { headers: { 'accept-encoding': coding } }
    // Once as the server sends it, and once as nginx has kept it.
    const [theirs, ours, again] = [
      await sendPlain(portOf(deployment.servers[0]), path, {
        headers: { ...call.headers, 'x-forwarded-proto': 'https' },
      }),
      await nginx.send(path, call),
      await nginx.send(path, call),
    ]
    for (const answer of [ours, again]) {
      expect([answer.statusCode, answer.body.equals(theirs.body)]).toEqual([theirs.statusCode, true])
      expect(headersOf(answer)).toEqual(headersOf(theirs))
    }
  }
})

test('a browser that has the page is answered 304', async () => {
  const { headers } = await nginx.send('/')
  const again = await nginx.send('/', { headers: { 'if-none-match': `${headers.etag}` } })
  expect([again.statusCode, again.headers['cache-control']]).toEqual([304, 'no-cache, no-transform'])
})

test('a body that is too large is refused by a problem', async () => {
  const sendBody = (bytes: number) => nginx.send('/api/contact-us', jsonCall({ email: 'x'.repeat(bytes - 12) }))
  expectProblem(await sendBody(MAX_BODY_BYTES), 422)
  expectProblem(await sendBody(MAX_BODY_BYTES + 1), 413)
})

test('http leads to https', async () => {
  const { statusCode, headers } = await sendPlain(nginx.plainPort, '/x?y')
  expect([statusCode, headers.location]).toEqual([301, 'https://example.com/x?y'])
})

test('certbot can prove over http that the host is ours', async () => {
  expect((await sendPlain(nginx.plainPort, '/.well-known/acme-challenge/none')).statusCode).toBe(404)
})

/** What a log may tell: a time, a method, a status, durations and our servers; no client, no path. */
const LINE =
  /^[\d-]{10}T[\d:]{8}\+\d\d:\d\d [A-Z-]+ \d{3} \d+\.\d{3} upstream_addr="((-|launching_soon|127\.0\.0\.1:\d+)(, |"))+ upstream_status="[\d, -]+" upstream_connect_time="[\d., -]+"$/

test('no log holds an address or a path, whatever comes', async () => {
  for (const bytes of ['nonsense\r\n\r\n', 'GET / HTTP/1.1\r\nno header\r\n\r\n', 'GET /%zz HTTP/1.1\r\n\r\n']) {
    for (const port of [nginx.port, nginx.plainPort]) {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      socket.end(bytes)
      await text(socket).catch(() => '')
    }
  }
  await nginx.send('/api/subscribe?visitor@example.com', jsonCall(subscriptionOf('visitor@example.com')))
  const lines = nginx.logs().trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(1)
  expect(lines.filter((line) => !LINE.test(line))).toEqual([])
})

test('a request for another host, or for none, is closed without an answer', async () => {
  const closed = { code: 'ECONNRESET' }
  for (const host of ['other.example', '127.0.0.1', '']) {
    await expect(sendPlain(nginx.plainPort, '/', { headers: { host } })).rejects.toMatchObject(closed)
    await expect(nginx.send('/', { headers: { host } })).rejects.toMatchObject(closed)
  }
  const socket = connectTls({ host: '127.0.0.1', port: nginx.port, rejectUnauthorized: false })
  await expect(once(socket, 'secureConnect')).rejects.toThrow('unrecognized name')
})

test.each(['AES128-SHA', 'ECDHE-ECDSA-AES128-SHA256'])('TLS 1.2 by %s is refused', async (ciphers) => {
  const to = { host: '127.0.0.1', port: nginx.port, servername: 'example.com', rejectUnauthorized: false }
  const socket = connectTls({ ...to, maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` })
  await expect(once(socket, 'secureConnect')).rejects.toThrow(/handshake failure/)
})

test('the limits hold for each client over both servers, whatever it says of itself', async () => {
  const clients = Array.from({ length: 16 }, (_, i) => `127.0.1.${i + 1}`)
  for (const from of clients) {
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) {
      const lie = { 'x-forwarded-for': `192.0.2.${i}`, 'x-real-ip': `192.0.2.${i}`, forwarded: `for=192.0.2.${i}` }
      const call = jsonCall(subscriptionOf(`limited${i}-${from}@example.com`), lie)
      statuses.push((await nginx.send('/api/subscribe', { ...call, from })).statusCode)
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
  }
})

test('every address of a /64 is one client, and IPv4 addresses are one each', async () => {
  const clientOf = async (address: string) =>
    (await sendPlain(nginx.clientPort, '/', { headers: { 'x-real-ip': address } })).body.toString('hex')
  expect(await clientOf('192.0.2.1')).toBe('c0000201')
  // Bytes that end a line or a string in other programs.
  for (const address of ['2001:db8:a0a:d::1', '2001:db8:a0a:d:a00::a', '2001:db8:a0a:d:ffff:ffff:ffff:ffff'])
    expect(await clientOf(address)).toBe('20010db80a0a000d')
})

/** Statuses of a call by many clients, of which each server has some. */
const statusesOf = async (nginx: Nginx, path: string, body: object) => {
  const clients = Array.from({ length: 24 }, (_, i) => `127.0.2.${i + 1}`)
  const answers = await Promise.all(clients.map((from) => nginx.send(path, { ...jsonCall(body), from })))
  return new Set(answers.map(({ statusCode }) => statusCode))
}

async function startOther(): Promise<Deployment> {
  const other = await startDeployment({ RATE_LIMIT: 'off' })
  onTestFinished(other.remove)
  return other
}

test('of two servers one that is gone is noticed by nobody', async () => {
  const { nginx, servers, databaseUrl } = await startOther()
  servers[0].signal('SIGKILL')
  await servers[0].exited
  expect(await statusesOf(nginx, '/api/contact-us', bodyOf(anEnquiry()))).toEqual(new Set([200]))
  expect(await query(databaseUrl, 'select 1 from enquiries')).toHaveLength(24)
})

test('of calls that hang only subscriptions are sent again', async () => {
  const { nginx, servers } = await startOther()
  servers[0].signal('SIGSTOP')
  const [subscriptions, enquiries] = await Promise.all([
    statusesOf(nginx, '/api/subscribe', subscriptionOf('a@example.com')),
    statusesOf(nginx, '/api/contact-us', bodyOf(anEnquiry())),
  ])
  expect([subscriptions, enquiries]).toEqual([new Set([200]), new Set([200, 503])])
})
