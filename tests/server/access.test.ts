import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AccessPolicy } from '../../server/http/access.ts'
import { buildTestApp, type TestApp } from '../support/server/build-test-app.ts'
import { expectProblem } from '../support/server/problem.ts'

let server: TestApp
beforeEach(async () => {
  server = await buildTestApp()
})
afterEach(() => server.close())

async function restartWith(access: Partial<AccessPolicy>) {
  await server.close()
  server = await buildTestApp({ access })
}

const BODIES = {
  '/api/subscribe': { email: 'visitor@example.com' },
  '/api/contact-us': { name: { first: 'Given', last: 'Family' }, email: 'visitor@example.com', msg: 'Hello' },
}

type Headers = Record<string, string>

const subscribe = (headers: Headers = {}) => server.post('/api/subscribe', BODIES['/api/subscribe'], headers)

const storedRows = async () => [...(await server.rows('subscribers')), ...(await server.rows('enquiries'))]

describe('calls from other sites', () => {
  test.each<[string, Headers]>([
    ['neither header, as outside a browser', {}],
    ['Sec-Fetch-Site: same-origin', { 'sec-fetch-site': 'same-origin' }],
    ['both headers', { 'sec-fetch-site': 'same-origin', origin: 'https://www.example.com', host: 'inner:8080' }],
    ['our own Origin', { origin: 'http://www.example.com:8080', host: 'www.example.com:8080' }],
    ['our own Origin over https', { origin: 'https://www.example.com', host: 'www.example.com' }],
    ['our own Origin, the Host in capitals', { origin: 'http://www.example.com', host: 'WWW.Example.com' }],
  ])('%s: taken', async (_, headers) => {
    expect((await subscribe(headers)).statusCode).toBe(200)
    expect(server.refusals).toEqual([])
  })

  test.each<[string, Headers]>([
    ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }],
    ['Sec-Fetch-Site: none', { 'sec-fetch-site': 'none' }],
    ['an empty Sec-Fetch-Site', { 'sec-fetch-site': '' }],
    ['a cross-site call with our Origin', { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:80' }],
    ['another Origin', { origin: 'http://evil.example', host: 'www.example.com' }],
    ['another port', { origin: 'http://www.example.com:81', host: 'www.example.com' }],
    ['a host that ours begins', { origin: 'http://www.example.com.evil.example', host: 'www.example.com' }],
    ['a host that ours ends', { origin: 'http://evilexample.com', host: 'example.com' }],
    ['another scheme', { origin: 'ftp://www.example.com', host: 'www.example.com' }],
    ['Origin: null', { origin: 'null', host: 'null' }],
    ['an empty Origin', { origin: '', host: 'www.example.com' }],
  ])('%s: 403 with what to do, and no cookie', async (_, headers) => {
    for (const [url, body] of Object.entries(BODIES)) {
      const answer = await server.post(url, body, headers)
      expect(expectProblem(answer, 403).detail).toContain('PUBLIC_ORIGIN')
      expect(answer.headers['set-cookie']).toBeUndefined()
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
    expect(server.refusals).toEqual(['cross-site', 'cross-site'])
    expect(await storedRows()).toEqual([])
  })

  test('PUBLIC_ORIGIN takes the place of the Host', async () => {
    await restartWith({ publicOrigin: 'https://www.example.com' })
    expect((await subscribe({ origin: 'https://www.example.com', host: 'inner:8080' })).statusCode).toBe(200)
    expectProblem(await subscribe({ origin: 'http://www.example.com', host: 'www.example.com' }), 403)
    expectProblem(await subscribe({ origin: 'https://inner:8080', host: 'inner:8080' }), 403)
  })

  test('a Host that a proxy passes on counts only from a proxy that is trusted', async () => {
    const passedOn = { origin: 'https://www.example.com', host: 'inner', 'x-forwarded-host': 'www.example.com' }
    expectProblem(await subscribe(passedOn), 403)
    await restartWith({ trustProxy: ['127.0.0.0/8'] })
    expect((await subscribe(passedOn)).statusCode).toBe(200)
    await restartWith({ trustProxy: ['192.0.2.1'] })
    expectProblem(await subscribe(passedOn), 403)
  })
})

const cookieOf = ({ headers }: Awaited<ReturnType<typeof subscribe>>) => String(headers['set-cookie'] ?? '')

const FRESH = /^XSRF-TOKEN=([\w-]{22,}); Path=\/; SameSite=Strict$/

describe('the XSRF token', () => {
  test('is set by the first answer of the API, whatever it says, and never twice the same', async () => {
    const answers = [
      await subscribe(),
      await server.post('/api/contact-us', BODIES['/api/contact-us']),
      await server.post('/api/subscribe', '{'),
      await server.post('/api/subscribe', '{}'),
      await server.post('/api/subscribe', '{}', { 'content-type': 'text/plain' }),
      await server.post('/api/subscribe', 'a'.repeat(70_000)),
    ]
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 400, 422, 415, 413])
    const tokens = answers.map((answer) => FRESH.exec(cookieOf(answer))?.[1])
    expect(tokens).not.toContain(undefined)
    expect(new Set(tokens).size).toBe(answers.length)
  })

  test('is never set by the page, its files, or what has no such path or method', async () => {
    for (const url of ['/', '/elsewhere', '/favicon.svg', '/assets/app-1a2b3c.js', '/api/none', '/api/subscribe']) {
      expect(cookieOf(await server.app.inject({ url })), url).toBe('')
    }
  })

  test('that comes back in the header is taken, and not set again', async () => {
    const token = FRESH.exec(cookieOf(await subscribe()))?.[1] ?? ''
    const answer = await subscribe({ cookie: `XSRF-TOKEN=${token}`, 'x-xsrf-token': token })
    expect([answer.statusCode, cookieOf(answer)]).toEqual([200, ''])
  })

  test.each<[string, Headers]>([
    ['no header', { cookie: 'XSRF-TOKEN=abc' }],
    ['another header', { cookie: 'XSRF-TOKEN=abc', 'x-xsrf-token': 'abcd' }],
    ['another case', { cookie: 'XSRF-TOKEN=abc', 'x-xsrf-token': 'ABC' }],
    ['an empty header', { cookie: 'XSRF-TOKEN=abc', 'x-xsrf-token': '' }],
    ['an empty cookie beside ours, and an empty header', { cookie: 'XSRF-TOKEN=; XSRF-TOKEN=a', 'x-xsrf-token': '' }],
    ['an undecodable cookie without a header', { cookie: 'XSRF-TOKEN=%' }],
    ['two cookies, and neither in the header', { cookie: 'XSRF-TOKEN=a; XSRF-TOKEN=b', 'x-xsrf-token': 'a, b' }],
  ])('%s: 403 with a fresh one, and nothing is stored', async (_, headers) => {
    const answer = await subscribe(headers)
    expect(expectProblem(answer, 403).detail).toContain('fresh cookie')
    expect(cookieOf(answer)).toMatch(FRESH)
    expect([server.refusals, await storedRows()]).toEqual([['xsrf'], []])
  })

  test('of another name is none', async () => {
    for (const cookie of ['X-XSRF-TOKEN=a', 'xsrf-token=a', 'XSRF-TOKEN', '']) {
      const answer = await subscribe({ cookie })
      expect([answer.statusCode, cookieOf(answer)]).toEqual([200, expect.stringMatching(FRESH)])
    }
  })

  test('is kept from plain http where visitors come over https', async () => {
    await restartWith({ publicOrigin: 'https://www.example.com' })
    expect(cookieOf(await subscribe())).toMatch(/; Secure/)
    await restartWith({ publicOrigin: 'http://www.example.com', trustProxy: ['127.0.0.1'] })
    expect(cookieOf(await subscribe({ 'x-forwarded-proto': 'https' }))).not.toContain('Secure')
    await restartWith({ trustProxy: ['127.0.0.1'] })
    expect(cookieOf(await subscribe({ 'x-forwarded-proto': 'https' }))).toMatch(/; Secure/)
    await restartWith({})
    expect(cookieOf(await subscribe({ 'x-forwarded-proto': 'https' }))).not.toContain('Secure')
  })
})

test('another site is told before a wrong token, and both before a wrong body', async () => {
  const wrong = { 'sec-fetch-site': 'cross-site', cookie: 'XSRF-TOKEN=a', 'content-type': 'text/plain' }
  expect(expectProblem(await subscribe(wrong), 403).detail).toContain('PUBLIC_ORIGIN')
  expect(expectProblem(await subscribe({ ...wrong, 'sec-fetch-site': 'same-origin' }), 403).detail).toContain('cookie')
  expect(server.refusals).toEqual(['cross-site', 'xsrf'])
})

test('REVEAL_EXISTING=false answers a known address as it answers a new one', async () => {
  await restartWith({ revealExisting: false })
  const answers = [await subscribe(), await subscribe()]
  expect(answers.map((answer) => answer.json())).toEqual(Array(2).fill({ success: true, email_exists: false }))
  expect(await server.rows('subscribers')).toHaveLength(1)
})

describe('a client address in a header', () => {
  const warnings = () => server.logLines.filter((line) => line.includes('TRUST_PROXY'))
  const call = async (headers: Headers) => {
    server.app.log.level = 'warn'
    await subscribe(headers)
  }

  test.each(['x-forwarded-for', 'forwarded', 'x-real-ip'])('%s of no trusted proxy: one warning', async (header) => {
    await restartWith({ trustProxy: ['192.0.2.1'] })
    for (let i = 1; i <= 3; i++) await call({ [header]: `198.51.100.${i}` })
    expect(warnings()).toEqual([expect.stringContaining(`"header":"${header}"`)])
    expect(warnings().join()).not.toMatch(/198\.51|127\.0/)
  })

  test('of a trusted proxy, or none at all: no warning', async () => {
    await call({})
    await restartWith({ trustProxy: ['127.0.0.1'] })
    await call({ 'x-forwarded-for': '198.51.100.1', 'x-real-ip': '203.0.113.1' })
    expect(warnings()).toEqual([])
  })
})
