import { renameSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { buildTestApp } from '../support/server/build-test-app.ts'

const server = await buildTestApp()
const port = Number(new URL(await server.listen()).port)
afterAll(server.close)

test.each(['/', '/assets/app-1a2b3c.js'])('a browser that has %s learns that it is unchanged', async (url) => {
  const { headers } = await server.app.inject(url)
  const repeated = await server.app.inject({ url, headers: { 'if-none-match': `${headers.etag}` } })
  expect(repeated.statusCode).toBe(304)
})

test('a new build is served at once without a restart, with its own policy', async () => {
  const { app, pageFolder, close } = await buildTestApp()
  onTestFinished(close)
  renameSync(pageFolder, `${pageFolder}.old`)
  const missing = await app.inject('/')
  expect([missing.statusCode, missing.json().detail]).toEqual([503, expect.stringContaining('page files are missing')])
  renameSync(`${pageFolder}.old`, pageFolder)
  writeFileSync(join(pageFolder, 'assets/app-new.js'), 'new')
  writeFileSync(join(pageFolder, 'pages.json'), '{"/":{"file":"index.html","policy":"default-src \'self\'"}}')
  expect((await app.inject('/')).headers['content-security-policy']).toBe("default-src 'self'")
  expect((await app.inject('/assets/app-new.js')).body).toBe('new')
})

test('a redirect of an earlier site is forgotten, and its cookies do not matter', async () => {
  const redirect = await server.app.inject('/en/')
  expect(redirect.headers).toMatchObject({ location: '/', 'clear-site-data': '"cache"' })
  const headers = { cookie: `other=${'x'.repeat(65_536)}` }
  expect((await fetch(`http://127.0.0.1:${port}/`, { headers })).status).toBe(200)
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
