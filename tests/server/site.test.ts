import { renameSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { buildTestApp } from '../support/server/build-test-app.ts'

const server = await buildTestApp()
const port = Number(new URL(await server.listen()).port)
afterAll(server.close)

const get = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers })

const ASSET = '/assets/app-1a2b3c.js'

const PAGE = { 'content-security-policy': "default-src 'none'", 'cache-control': 'no-cache, no-transform' }
const A_YEAR = { 'cache-control': 'public, max-age=31536000, immutable' }

test.each<[url: string, accepted: string, headers: object]>([
  ['/?email=a%40b.co&x', '', PAGE],
  ['/', 'gzip, br', { ...PAGE, 'content-encoding': 'br', vary: 'accept-encoding' }],
  [ASSET, 'gzip', { ...A_YEAR, 'content-encoding': 'gzip', vary: 'accept-encoding' }],
  ['/.well-known/security.txt', '', { 'cache-control': 'public, max-age=86400' }],
])('%s, if the browser accepts "%s", has the headers %j', async (url, accepted, headers) => {
  const answer = await get(url, { 'accept-encoding': accepted })
  const repeated = await get(url, { 'accept-encoding': accepted, 'if-none-match': `${answer.headers.etag}` })
  expect([answer.statusCode, repeated.statusCode]).toEqual([200, 304])
  expect(answer.headers).toMatchObject(headers)
  // A cache would give the same token to all visitors.
  expect(answer.headers).not.toHaveProperty('set-cookie')
})

test('a new build is served at once without a restart, with its own policy', async () => {
  const { app, site, close } = await buildTestApp()
  onTestFinished(close)
  renameSync(site, `${site}.old`)
  const missing = await app.inject('/')
  expect([missing.statusCode, missing.json().detail]).toEqual([503, expect.stringContaining('page files are missing')])
  renameSync(`${site}.old`, site)
  writeFileSync(join(site, 'assets/app-new.js'), 'new')
  writeFileSync(join(site, 'pages.json'), '{"/":{"file":"index.html","policy":"default-src \'self\'"}}')
  expect((await app.inject('/')).headers['content-security-policy']).toBe("default-src 'self'")
  expect((await app.inject('/assets/app-new.js')).body).toBe('new')
})

test.each([
  ['/somewhere/else?utm=1&x=//evil.example', '302', '/?utm=1&x=//evil.example'],
  ['//evil.example/?x', '302', '/?x'],
  ['/.git/config', '404', undefined],
  ['/..%2findex.html', '404', undefined],
])('%s is no path of the build: it is answered %s', async (path, status, location) => {
  // Sent as bytes, because inject would normalise the path.
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  const answer = await text(socket)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(/^location: (.*)\r$/m.exec(answer)?.[1]).toBe(location)
})
