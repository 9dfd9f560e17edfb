import { connect } from 'node:net'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { MAX_BODY_BYTES } from '../../server/http/problems.ts'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { localServer, says } from '../support/local-server.ts'
import { makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { CLOSED_PORT } from '../support/server/free-port.ts'
import { type Answer, type Nginx, sendPlain, startNginx } from '../support/server/nginx.ts'
import { jsonCall } from '../support/server/post.ts'
import { expectProblem } from '../support/server/problem.ts'
import { makeServerFolder, type ServerProcess } from '../support/server/server-folder.ts'
import { until } from '../support/until.ts'

let database: TestDatabase
let servers: [ServerProcess, ServerProcess]
let nginx: Nginx
beforeAll(async () => {
  database = await makeDatabase('postgres')
  const sandbox = makeServerFolder()
  const limits = { RATE_LIMIT: 'on', RATE_LIMIT_SUBSCRIBE: '10/minute 10/hour' }
  const settings = { ...limits, PUBLIC_ORIGIN: 'https://example.com', TRUST_PROXY: '127.0.0.1' }
  const start = () => sandbox.start({ ...settings, DATABASE_URL: database.url })
  servers = [await start(), await start()]
  nginx = await startNginx([portOf(servers[0]), portOf(servers[1])])
  return () => nginx.remove().then(sandbox.remove).then(database.remove)
})

const portOf = ({ origin }: ServerProcess) => Number(new URL(origin).port)

/** Starts another nginx until the test ends. */
async function startOtherNginx(...ports: Parameters<typeof startNginx>) {
  const otherNginx = await startNginx(...ports)
  onTestFinished(otherNginx.remove)
  return otherNginx
}

/** Headers that depend on the connection or on the time. */
const OF_CONNECTION = ['server', 'date', 'connection', 'keep-alive', 'transfer-encoding', 'accept-ranges']

function contentOf({ statusCode, headers, body }: Answer) {
  for (const name of OF_CONNECTION) delete headers[name]
  return { statusCode, headers, body: body.toString('hex') }
}

const PATHS = ['/', '/assets/app-1a2b3c.js', '/assets/none.js', '//x?y', '/readyz']

test.each(PATHS)('nginx answers %s like a server, in each coding', async (path) => {
  for (const coding of ['gzip, deflate, br, zstd', 'gzip', '']) {
    const headers = { 'accept-encoding': coding, 'x-forwarded-proto': 'https' }
    const ofServer = contentOf(await sendPlain(portOf(servers[0]), path, { headers }))
    // The first answer comes from the server, the second answer from the cache of nginx.
    for (const _answer of [1, 2]) expect(contentOf(await nginx.send(path, { headers }))).toEqual(ofServer)
  }
})

test('a body that is too large is answered with a problem document', async () => {
  const sendBody = (bytes: number) => nginx.send('/api/contact-us', jsonCall({ email: 'x'.repeat(bytes - 12) }))
  expectProblem(await sendBody(MAX_BODY_BYTES), 422)
  expectProblem(await sendBody(MAX_BODY_BYTES + 1), 413)
})

test('http redirects to https, except for the proof of certbot', async () => {
  const { statusCode, headers } = await sendPlain(nginx.plainPort, '/x?y')
  expect([statusCode, headers.location]).toEqual([301, 'https://example.com/x?y'])
  expect((await sendPlain(nginx.plainPort, '/.well-known/acme-challenge/none')).statusCode).toBe(404)
})

test('no log contains the address of a client or a path', async () => {
  const client = { 'x-client': '192.0.2.77' }
  await nginx.send('/api/subscribe?visitor@example.com', jsonCall(subscriptionOf(), client))
  await nginx.send('/visitor@example.com', jsonCall({}, { ...client, 'content-length': '999999' })).catch(() => {})
  for (const port of [nginx.port, nginx.plainPort]) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.77' }).on('error', () => {})
    socket.resume().end('GET /visitor@example.com HTTP/1.1\r\nno header\r\n\r\n')
    await new Promise((resolve) => socket.once('close', resolve))
  }
  expect(nginx.logs()).toMatch(/ POST 200 .* upstream_status="200"/)
  expect(nginx.logs()).not.toMatch(/\.77|visitor/)
})

test.each<[client: string, addressOf: (i: number) => string]>([
  ['an IPv4 address', () => '192.0.2.1'],
  // With bytes that end a line or a string in other programs.
  ['an IPv6 /64', (i) => `2001:db8:a0a:d:${i}::1`],
])('the limits apply to %s over both servers, despite false headers', async (_, addressOf) => {
  const statuses: number[] = []
  for (let i = 0; i < 12; i++) {
    const lie = { 'x-forwarded-for': `192.0.2.${i}`, 'x-real-ip': `192.0.2.${i}`, forwarded: `for=192.0.2.${i}` }
    const call = jsonCall(subscriptionOf(), { ...lie, 'x-client': addressOf(i) })
    statuses.push((await nginx.send('/api/subscribe', call)).statusCode)
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
})

/** The statuses of calls by many clients, which both servers share. */
async function statusesOf(nginx: Nginx, path: string, body: object) {
  const calls = Array.from({ length: 24 }, (_, i) =>
    nginx.send(path, jsonCall(body, { 'x-client': `198.51.100.${i}` })),
  )
  return new Set((await Promise.all(calls)).map(({ statusCode }) => statusCode))
}

test('if one of two servers is gone, no visitor notices', async () => {
  const otherNginx = await startOtherNginx([portOf(servers[1]), CLOSED_PORT])
  const enquiry = anEnquiry({ message: 'One server is gone.' })
  expect(await statusesOf(otherNginx, '/api/contact-us', bodyOf(enquiry))).toEqual(new Set([200]))
  const stored = (await database.rows('enquiries')).filter(({ message }) => message === enquiry.message)
  expect(stored).toHaveLength(24)
})

test('of the calls that hang, nginx repeats only subscriptions', async () => {
  const otherNginx = await startOtherNginx([portOf(servers[0]), portOf(servers[1])])
  servers[0].signal('SIGSTOP')
  onTestFinished(() => servers[0].signal('SIGCONT'))
  const [subscriptions, enquiries] = await Promise.all([
    statusesOf(otherNginx, '/api/subscribe', subscriptionOf()),
    statusesOf(otherNginx, '/api/contact-us', bodyOf(anEnquiry())),
  ])
  expect([subscriptions, enquiries]).toEqual([new Set([200]), new Set([200, 503])])
})

test('without a server nginx still shows the page, and answers a call with 503', async () => {
  const server = await localServer(says('page'))
  const otherNginx = await startOtherNginx([server.port, server.port])
  // nginx must not cache the readiness of a server.
  expect((await otherNginx.send('/readyz')).statusCode).toBe(200)
  await server.stop()
  expect((await otherNginx.send('/readyz')).statusCode).not.toBe(200)
  await until(async () => {
    expect((await otherNginx.send('/')).body.toString()).toBe('page')
    // The page in the cache of nginx is older than a second.
    return / GET 200 .* upstream_status="502"/.test(otherNginx.logs())
  })
  expectProblem(await otherNginx.send('/api/subscribe', jsonCall({})), 503)
})
