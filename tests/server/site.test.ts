import { renameSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { buildTestApp } from '../support/server/build-test-app.ts'

const { app, pageFolder, listen, close } = await buildTestApp()
const origin = await listen()
afterAll(close)

test('a new build is served at once without a restart, with its own policy', async () => {
  renameSync(pageFolder, `${pageFolder}.old`)
  const missing = await app.inject('/')
  expect([missing.statusCode, missing.json().detail]).toEqual([503, expect.stringContaining('page files are missing')])
  renameSync(`${pageFolder}.old`, pageFolder)
  writeFileSync(join(pageFolder, 'assets/app-new.js'), 'new')
  writeFileSync(join(pageFolder, 'pages.json'), '{"/":{"file":"index.html","policy":"default-src \'self\'"}}')
  expect((await app.inject('/')).headers['content-security-policy']).toBe("default-src 'self'")
  expect((await app.inject('/assets/app-new.js')).body).toBe('new')
})

test('the cookies of other sites of the domain do not matter', async () => {
  const headers = { cookie: `other=${'x'.repeat(65_536)}` }
  expect((await fetch(origin, { headers })).status).toBe(200)
})

test.each([
  ['//evil.example/?x=//evil.example', '302', '/?x=//evil.example'],
  ['/.git/config', '404', undefined],
  ['/..%2findex.html', '404', undefined],
])('%s is no path of the build: it is answered %s', async (path, status, location) => {
  // Sent as bytes, because inject would normalise the path.
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  const answer = await text(socket)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(/^location: (.*)\r$/m.exec(answer)?.[1]).toBe(location)
})
