import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { securityHeaders } from '../../server/security-headers.ts'
import { buildTestApp, type TestApp } from '../support/build-test-app.ts'
import { writeBuiltPage } from '../support/built-page.ts'
import { makeServerFolder } from '../support/server-process.ts'

const reference = mkdtempSync(join(tmpdir(), 'reference-'))
const apps: Record<'on' | 'off', TestApp | undefined> = { on: undefined, off: undefined }
beforeAll(async () => {
  apps.on = await buildTestApp({ reference })
  apps.off = await buildTestApp()
})
afterAll(async () => {
  await apps.on?.close()
  await apps.off?.close()
  rmSync(reference, { recursive: true })
})
beforeEach(() => writeBuiltPage(reference))

async function ask(docs: 'on' | 'off', url: string, headers = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') {
  const answer = await apps[docs]?.app.inject({ method, url, headers })
  if (!answer) throw new Error('The server is not there.')
  return answer
}

describe('with DOCS=on', () => {
  test('the reference comes under its own policy, with every other security header, and is asked for each time', async () => {
    const { statusCode, headers, body } = await ask('on', '/docs')
    expect([statusCode, body]).toEqual([200, '<h1>page</h1>'])
    expect(headers).toMatchObject({
      ...securityHeaders(false),
      'content-security-policy': "default-src 'none'",
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
    })
    expect((await ask('on', '/docs', { 'if-none-match': headers.etag })).statusCode).toBe(304)
    expect((await ask('on', '/docs', { 'accept-encoding': 'br' })).headers['content-encoding']).toBe('br')
  })

  test('a slash too many leads to the reference', async () => {
    const { statusCode, headers } = await ask('on', '/docs/')
    expect([statusCode, headers.location]).toEqual([302, '/docs'])
  })

  test('the contract comes to the letter', async () => {
    const { statusCode, headers, body } = await ask('on', '/openapi.yaml')
    expect([statusCode, body]).toEqual([200, readFileSync('openapi.yaml', 'utf8')])
    expect(headers).toMatchObject({
      ...securityHeaders(false),
      'content-type': 'application/yaml',
      'cache-control': 'no-cache',
    })
  })

  test.each(['/docs', '/openapi.yaml'])('%s answers HEAD, and no other method', async (path) => {
    const head = await ask('on', path, {}, 'HEAD')
    expect([head.statusCode, head.body]).toEqual([200, ''])
    const post = await ask('on', path, {}, 'POST')
    expect([post.statusCode, post.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  test('a reference that was removed while the server runs leads to the page', async () => {
    rmSync(join(reference, 'content-security-policy.txt'))
    const { statusCode, headers } = await ask('on', '/docs')
    expect([statusCode, headers.location]).toEqual([302, '/'])
  })

  test('its other files have no address', async () => {
    for (const path of ['/docs/', '/docs/index.html', '/docs/openapi.yaml', '/docs/content-security-policy.txt'])
      expect((await ask('on', path)).statusCode).toBe(302)
  })
})

test('with DOCS=off neither has an address: every unknown path leads to the page', async () => {
  for (const path of ['/docs', '/openapi.yaml']) {
    const answer = await ask('off', path)
    const unknown = await ask('off', '/unknown')
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/'])
    expect(Object.keys(answer.headers)).toEqual(Object.keys(unknown.headers))
  }
})

describe('a server that starts', () => {
  const place = makeServerFolder()
  afterAll(() => place.remove())

  test('with DOCS=on but without a built reference ends in one line', async () => {
    const line = /^No built reference in .+dist-docs: run "npm run docs" first, or leave DOCS off\.\n$/
    const { code, stderr } = await place.runToEnd({ DOCS: 'on' })
    expect([code, stderr]).toEqual([1, expect.stringMatching(line)])
  })

  test('serves the reference only where it is told to', async () => {
    writeBuiltPage(join(place.folder, 'dist-docs'))
    const statusOf = async (env: NodeJS.ProcessEnv) =>
      (await fetch(`${(await place.start(env)).origin}/docs`, { redirect: 'manual' })).status
    expect([await statusOf({ DOCS: 'on' }), await statusOf({})]).toEqual([200, 302])
  })
})
