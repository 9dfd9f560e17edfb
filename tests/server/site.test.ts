import { renameSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { ERROR_TEXT } from '../../src/domain/texts.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const { app, store, pageFolder, listen, close } = await buildTestApp()
const origin = await listen()
afterAll(close)
vi.spyOn(store, 'checkReadiness').mockResolvedValue('unavailable')

test('a new build is served at once without a restart, with its own policy', async () => {
  writeFileSync(join(pageFolder, 'assets/app-new.js'), 'new')
  writeFileSync(join(pageFolder, 'pages.json'), '{"/":{"file":"index.html","policy":"default-src \'self\'"}}')
  expect((await app.inject('/')).headers['content-security-policy']).toBe("default-src 'self'")
  expect((await app.inject('/assets/app-new.js')).body).toBe('new')
})

test.each(['/', '/index.html', '/other'])('while the page files are missing, %s is answered 503', async (path) => {
  renameSync(pageFolder, `${pageFolder}.old`)
  onTestFinished(() => renameSync(`${pageFolder}.old`, pageFolder))
  const { statusCode, headers, body } = await app.inject({ path, headers: { accept: 'text/html' } })
  expect([statusCode, headers['retry-after'], headers['content-type']]).toEqual([503, '2', 'text/html; charset=utf-8'])
  expect(body).toContain(ERROR_TEXT.unavailable.detail)
})

const PAGE = 'text/html; charset=utf-8'
const PROBLEM = 'application/problem+json'
const CHROMIUM = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

test.each([
  ['GET /a.pdf', CHROMIUM, PAGE],
  ['HEAD /a.pdf', 'image/png, TEXT/HTML ;level=1;q=0.1', PAGE],
  ['GET /%zz', CHROMIUM, PAGE],
  ['POST /other', CHROMIUM, PAGE],
  ['GET /a.pdf', '*/*', PROBLEM],
  ['GET /a.pdf', 'text/html;q=0.0, image/*', PROBLEM],
  ['GET /api/other', CHROMIUM, PROBLEM],
  ['GET /%61pi/other', CHROMIUM, PROBLEM],
  ['GET /api/%zz', CHROMIUM, PROBLEM],
  ['GET /readyz', CHROMIUM, PROBLEM],
])('%s that accepts %s fails with %s', async (call, accept, type) => {
  const [method, url] = call.split(' ') as ['GET' | 'HEAD', string]
  const { headers, body } = await app.inject({ method, url, headers: { accept } })
  expect([headers['content-type'], headers['cache-control']]).toEqual([type, 'no-store'])
  expect(headers.vary).toBe(/pi\/|readyz/.test(url) ? undefined : 'accept')
  expect(body === '').toBe(method === 'HEAD')
})

test('the cookies of other sites of the domain do not matter', async () => {
  const headers = { cookie: `other=${'x'.repeat(65_536)}` }
  expect((await fetch(origin, { headers })).status).toBe(200)
})

test.each([
  ['//evil.example/?x=//evil.example', '302', '/?x=//evil.example&'],
  ['/en/', '302', '/?'],
  ['http://any.example/', '200', undefined],
  ['HTTPS://any.example?x=1', '200', undefined],
  ['http://any.example//evil.example/', '302', '/?'],
  ['/.git/config', '404', undefined],
  ['/..%2findex.html', '404', undefined],
])('the request target %s is answered %s', async (path, status, location) => {
  // The path is sent as bytes, because `inject` would normalise it.
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  const answer = await text(socket)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(/^location: (.*)\r$/m.exec(answer)?.[1]).toBe(location)
})
