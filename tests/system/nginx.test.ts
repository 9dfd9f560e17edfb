import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { answerValidator } from '../support/contract.ts'
import { type Answer, type Nginx, sendPlain, startNginx } from '../support/nginx.ts'
import { createDatabase, query } from '../support/postgres.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'

let folder: string
const started: ServerProcess[] = []
const opened: Nginx[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'servers-'))
  cpSync('dist', join(folder, 'dist'), { recursive: true, preserveTimestamps: true })
})
afterAll(async () => {
  for (const nginx of opened) await nginx.remove()
  for (const server of started) server.signal('SIGKILL')
  await Promise.all(started.map(({ exited }) => exited))
  rmSync(folder, { recursive: true })
})

async function start(env: NodeJS.ProcessEnv): Promise<ServerProcess> {
  const server = await startServer(folder, { PUBLIC_ORIGIN: 'https://example.com', TRUST_PROXY: '127.0.0.1', ...env })
  started.push(server)
  return server
}

const portOf = ({ origin }: ServerProcess) => new URL(origin).port

/** nginx before two servers on one new database. */
async function startAll(env: NodeJS.ProcessEnv) {
  const url = await createDatabase(inject('postgresUrl'))
  const servers = [await start({ DATABASE_URL: url, ...env }), await start({ DATABASE_URL: url, ...env })] as const
  const nginx = await startNginx([portOf(servers[0]), portOf(servers[1])])
  opened.push(nginx)
  return { url, servers, nginx }
}

const json = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const subscription = (email: string) => json({ email })
const enquiry = (msg: string) => json({ name: { first: 'Given', last: 'Family' }, email: 'visitor@example.com', msg })

const isProblem = answerValidator('subscribe', 503)

function expectProblem({ status, headers, body }: Answer, expected: number) {
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    expected,
    'application/problem+json',
    'no-store',
  ])
  const problem = JSON.parse(body.toString())
  expect(isProblem(problem)).toBe(true)
  expect(problem.status).toBe(expected)
}

/** Of addresses of clients; those of the servers and of what is listened on are the same here. */
const NO_ADDRESS =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+\d\d:\d\d (GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|-) \d{3} \d+\.\d{3}$/

function expectNoAddresses(nginx: Nginx) {
  const lines = nginx.logs().split('\n').slice(0, -1)
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter((line) => !NO_ADDRESS.test(line))).toEqual([])
}

describe('the site', () => {
  let nginx: Nginx
  let behind: string
  beforeAll(async () => {
    const all = await startAll({ RATE_LIMIT: 'off' })
    nginx = all.nginx
    behind = portOf(all.servers[0])
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

  test.each(['br, gzip', 'gzip', 'identity'])(
    'every file is the one of the build, for who accepts %s',
    async (accepted) => {
      const form = { 'br, gzip': '.br', gzip: '.gz', identity: '' }[accepted]
      for (const [path, file] of [
        ['/', 'index.html'],
        [`/assets/${script}`, `assets/${script}`],
        ['/favicon.svg', 'favicon.svg'],
        ['/robots.txt', 'robots.txt'],
      ]) {
        const call = { headers: { 'accept-encoding': accepted } }
        const answer = await nginx.send(String(path), call)
        expect(answer.status).toBe(200)
        expect(answer.body.equals(readFileSync(`dist/${file}${form}`))).toBe(true)
        const [ours, theirs] = [answer, await sendPlain(behind, String(path), call)]
        expect(headersOf(ours, ['accept-ranges'])).toEqual(headersOf(theirs, ['accept-ranges']))
      }
    },
  )

  // nginx writes a few words under a redirect.
  test.each<[string, string, string[]]>([
    ['GET', `/assets/${picture}`, ['vary']],
    ['GET', '/touch-icon.png', ['vary']],
    ['HEAD', '/', ['accept-ranges']],
    ['GET', '/assets/none.js', []],
    ['GET', `/assets/${script}.br`, []],
    ['GET', '/somewhere', ['content-type', 'content-length']],
    ['GET', '/somewhere/else?utm=1&x=//evil.example', ['content-type', 'content-length']],
    ['GET', '//evil.example/?x', ['content-type', 'content-length']],
    ['GET', '/index.html', ['content-type', 'content-length']],
    ['GET', '/index.html.br', ['content-type', 'content-length']],
    ['GET', '/content-security-policy.txt?x', ['content-type', 'content-length']],
    ['GET', '/healthz/', ['content-type', 'content-length']],
    ['POST', '/', []],
    ['PUT', '/somewhere', []],
    ['DELETE', '/assets/none.js', []],
    ['GET', '/api/subscribe', []],
    ['GET', '/api', []],
    ['POST', '/api/none', []],
  ])('%s %s is answered as the servers do', async (method, path, except) => {
    const [ours, theirs] = [await nginx.send(path, { method }), await sendPlain(behind, path, { method })]
    expect([ours.status, ...headersOf(ours, except)]).toEqual([theirs.status, ...headersOf(theirs, except)])
    if (!except.includes('content-length')) expect(ours.body.equals(theirs.body)).toBe(true)
  })

  test('a page that is still the same is answered 304 with its policy', async () => {
    const { headers } = await nginx.send('/')
    const again = await nginx.send('/', { headers: { 'if-none-match': String(headers.etag) } })
    expect([again.status, again.body.length]).toEqual([304, 0])
    for (const name of ['content-security-policy', 'cache-control', 'strict-transport-security'])
      expect(again.headers[name]).toBe(headers[name])
  })

  test('what nginx itself refuses is a problem with every header', async () => {
    const policy = (await nginx.send('/none')).headers['content-security-policy']
    const refused: [number, Promise<Answer>][] = [
      [413, nginx.send('/api/subscribe', subscription('x'.repeat(70_000)))],
      [431, nginx.send('/api/subscribe', { headers: { x: 'x'.repeat(20_000) } })],
      [431, nginx.send(`/${'x'.repeat(20_000)}`)],
      [400, nginx.send('/%zz')],
      [400, sendPlain(nginx.port, '/')],
      [405, nginx.send('/api/subscribe', { method: 'TRACE' })],
    ]
    for (const [status, sent] of refused) {
      const answer = await sent
      expectProblem(answer, status)
      expect(answer.headers).toMatchObject({
        'content-security-policy': policy,
        'strict-transport-security': 'max-age=63072000',
        'x-content-type-options': 'nosniff',
      })
    }
  })

  test('http leads to https', async () => {
    const { status, headers } = await sendPlain(nginx.plainPort, '/x?y')
    expect([status, headers.location]).toEqual([301, 'https://example.com/x?y'])
  })

  test('no log holds an address or a path, whatever comes', async () => {
    for (const bytes of ['nonsense\r\n\r\n', 'VISITOR / HTTP/1.1\r\n\r\n', 'GET / HTTP/1.1\r\nno header\r\n\r\n']) {
      for (const port of [nginx.port, nginx.plainPort]) {
        const socket = connect(port, '127.0.0.1').on('error', () => {})
        socket.end(bytes)
        await text(socket).catch(() => '')
      }
    }
    const hanging = connect(nginx.port, '127.0.0.1').on('error', () => {})
    hanging.write('GET')
    await once(hanging, 'connect')
    hanging.destroy()
    expectNoAddresses(nginx)
  })
})

describe('the limits', () => {
  test('hold for each client over both servers, whatever it says of itself', async () => {
    const { nginx, url } = await startAll({ RATE_LIMIT: 'on' })
    const statuses = async (from: string) => {
      const answers: number[] = []
      for (let i = 0; i < 12; i++) {
        const call = subscription(`${randomUUID()}@example.com`)
        const lie = { 'x-forwarded-for': `192.0.2.${i}`, 'x-real-ip': `192.0.2.${i}`, forwarded: `for=192.0.2.${i}` }
        const answer = await nginx.send('/api/subscribe', { ...call, headers: { ...call.headers, ...lie }, from })
        answers.push(answer.status)
        if (answer.status === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      }
      return answers
    }
    const wanted = [...Array(10).fill(200), 429, 429]
    // Enough clients for each server to have some.
    for (let i = 1; i <= 8; i++) expect(await statuses(`127.0.0.${i}`)).toEqual(wanted)
    expect(await query(url, 'select email from subscribers')).toHaveLength(80)
    expectNoAddresses(nginx)
  })
})

describe('with one server killed', () => {
  test('every call is answered or refused cleanly, and nothing acknowledged is lost', async () => {
    const { nginx, url, servers } = await startAll({ RATE_LIMIT: 'off' })
    const subscribed: string[] = []
    const enquired: string[] = []
    const statuses = new Map<string, number>()
    let over = false
    async function call(path: string, sent: ReturnType<typeof json>, from: string) {
      const answer = await nginx.send(path, { ...sent, from })
      const { status, body } = answer
      statuses.set(`${path} ${status}`, (statuses.get(`${path} ${status}`) ?? 0) + 1)
      if (status !== 200) {
        expectProblem(answer, 503)
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      }
      return status === 200 && JSON.parse(body.toString()).success === true
    }
    const clients = Array.from({ length: 24 }, async (_, name) => {
      for (let i = 0; !over; i++) {
        const [mark, from] = [`${name}-${i}`, `127.0.0.${name + 1}`]
        const email = `c${mark}@example.com`
        if (await call('/api/subscribe', subscription(email), from)) subscribed.push(email)
        if (await call('/api/contact-us', enquiry(mark), from)) enquired.push(mark)
      }
    })
    const run = Promise.all(clients)
    // What a client sees is told by `run`, should it be no answer at all.
    const count = (more: number) => {
      const from = enquired.length
      return Promise.race([run, vi.waitUntil(() => enquired.length >= from + more, { timeout: 30_000 })])
    }
    await count(300)
    servers[0].signal('SIGKILL')
    await servers[0].exited
    await count(300)
    const again = await start({ DATABASE_URL: url, RATE_LIMIT: 'off', PORT: portOf(servers[0]) })
    const answered = () => again.output().split('"answered"').length
    const before = answered()
    await Promise.race([run, vi.waitUntil(() => answered() > before + 50, { timeout: 30_000 })])
    over = true
    await run

    const emails = (await query<{ email: string }>(url, 'select email from subscribers')).map((row) => row.email)
    const messages = (await query<{ message: string }>(url, 'select message from enquiries')).map((row) => row.message)
    const lost = [
      ...subscribed.filter((email) => !emails.includes(email)),
      ...enquired.filter((m) => !messages.includes(m)),
    ]
    console.log(
      `one of two servers killed: ${[...statuses].map(([what, times]) => `${times} times ${what}`).join(', ')}; ` +
        `${lost.length} of ${subscribed.length + enquired.length} acknowledged lost`,
    )
    expect(lost).toEqual([])
    expect(new Set(messages).size).toBe(messages.length)
    // A subscription is sent to the other server at once.
    expect(statuses.get('/api/subscribe 503')).toBeUndefined()
    expectNoAddresses(nginx)
  })
})
