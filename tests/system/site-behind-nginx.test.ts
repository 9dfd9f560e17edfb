import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { type Answer, type Nginx, sendPlain } from '../../scripts/nginx.ts'
import {
  type Deployment,
  expectBareLogs,
  expectProblemAnswer,
  portOf,
  startDeployment,
  subscription,
} from '../support/server/deployment.ts'

let deployment: Deployment
let nginx: Nginx
let behind: string
beforeAll(async () => {
  deployment = await startDeployment({ RATE_LIMIT: 'off' })
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

test.each(['br, gzip', 'gzip', 'identity'])(
  'every file is the one of the build, for who accepts %s',
  async (accepted) => {
    const form = { 'br, gzip': '.br', gzip: '.gz', identity: '' }[accepted]
    for (const [path, file] of [
      ['/', 'index.html'],
      [`/assets/${script}`, `assets/${script}`],
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
  ['GET', '/healthz', []],
  ['HEAD', '/readyz', []],
  ['POST', '/readyz', []],
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
    expectProblemAnswer(answer, status)
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
  expectBareLogs(deployment)
})
