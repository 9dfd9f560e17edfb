import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { AccessPolicy } from '../../server/http/access.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { enquiryBody } from '../support/server/post.ts'
import { expectProblem } from '../support/server/problem.ts'

const server = await buildTestApp()
afterAll(server.close)
beforeEach(() => void server.refusals.splice(0))

async function startWith(access: Partial<AccessPolicy>) {
  const started = await buildTestApp({ access })
  onTestFinished(started.close)
  return started
}

type Headers = Record<string, string>

const subscribe = (headers: Headers = {}, { post } = server) =>
  post('/api/subscribe', { email: 'visitor@example.com' }, headers)

/** An enquiry that is to be refused. */
async function refused(headers: Headers) {
  const answer = await server.post('/api/contact-us', enquiryBody('Hello'), headers)
  expect(await server.rows('enquiries')).toEqual([])
  return { answer, detail: expectProblem(answer, 403).detail }
}

const PROXY = { trustProxy: ['127.0.0.0/8'] }
const OTHER_PROXY = { trustProxy: ['192.0.2.1'] }

describe('calls from other sites', () => {
  test.each<[string, Headers]>([
    ['both headers', { 'sec-fetch-site': 'same-origin', origin: 'https://www.example.com', host: 'inner:8080' }],
    ['our own Origin', { origin: 'http://www.example.com:8080', host: 'www.example.com:8080' }],
    ['our own Origin over https, the Host in capitals', { origin: 'https://www.example.com', host: 'WWW.Example.com' }],
  ])('%s: taken', async (_, headers) => {
    expect((await subscribe(headers)).statusCode).toBe(200)
    expect(server.refusals).toEqual([])
  })

  test.each<[string, Headers]>([
    ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }],
    ['a cross-site call with our Origin', { 'sec-fetch-site': 'cross-site', origin: 'http://www.example.com' }],
    ['a host that ours begins', { origin: 'http://www.example.com.evil.example' }],
    ['another scheme', { origin: 'ftp://www.example.com' }],
    ['an empty Origin', { origin: '' }],
  ])('%s: 403 with what to do, and no cookie', async (_, headers) => {
    const { answer, detail } = await refused({ host: 'www.example.com', ...headers })
    expect(detail).toContain('PUBLIC_ORIGIN')
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(server.refusals).toEqual(['cross-site'])
  })

  test('PUBLIC_ORIGIN takes the place of the Host', async () => {
    const named = await startWith({ publicOrigin: 'https://www.example.com' })
    expect((await subscribe({ origin: 'https://www.example.com', host: 'inner:8080' }, named)).statusCode).toBe(200)
    expectProblem(await subscribe({ origin: 'https://inner:8080', host: 'inner:8080' }, named), 403)
  })

  test('a Host that a proxy passes on counts only from a proxy that is trusted', async () => {
    const passedOn = { origin: 'https://www.example.com', host: 'inner', 'x-forwarded-host': 'www.example.com' }
    expect((await subscribe(passedOn, await startWith(PROXY))).statusCode).toBe(200)
    expectProblem(await subscribe(passedOn, await startWith(OTHER_PROXY)), 403)
    expectProblem(await subscribe(passedOn), 403)
  })
})

const cookieOf = ({ headers }: Awaited<ReturnType<typeof subscribe>>) => String(headers['set-cookie'] ?? '')

const FRESH = /^XSRF-TOKEN=([\w-]{22,}); Path=\/; SameSite=Strict$/

describe('the XSRF token', () => {
  test('is never set by the page, its files, or what has no such path or method', async () => {
    for (const url of ['/', '/elsewhere', '/favicon.svg', '/assets/app-1a2b3c.js', '/api/none', '/api/subscribe']) {
      expect(cookieOf(await server.app.inject({ url })), url).toBe('')
    }
  })

  // The contract check sends the other cookies, on both databases.
  test('of which an empty one beside ours is none: 403 with a fresh one, and nothing is stored', async () => {
    const { answer, detail } = await refused({ cookie: 'XSRF-TOKEN=; XSRF-TOKEN=a', 'x-xsrf-token': '' })
    expect(detail).toContain('fresh cookie')
    expect(cookieOf(answer)).toMatch(FRESH)
    expect(server.refusals).toEqual(['xsrf'])
  })

  test('is kept from plain http where visitors come over https', async () => {
    const https = { 'x-forwarded-proto': 'https' }
    expect(cookieOf(await subscribe({}, await startWith({ publicOrigin: 'https://www.example.com' })))).toMatch(
      'Secure',
    )
    expect(cookieOf(await subscribe(https, await startWith(PROXY)))).toMatch(/; Secure$/)
    const plain = await startWith({ publicOrigin: 'http://www.example.com', ...PROXY })
    for (const to of [plain, server]) expect(cookieOf(await subscribe(https, to))).toMatch(FRESH)
  })
})

test('another site is told before a wrong token, and both before a wrong body', async () => {
  const wrong = { cookie: 'XSRF-TOKEN=a', 'content-type': 'text/plain' }
  expect((await refused({ ...wrong, 'sec-fetch-site': 'cross-site' })).detail).toContain('PUBLIC_ORIGIN')
  expect((await refused(wrong)).detail).toContain('cookie')
})

test('a client address in a header is warned of once, without it, unless a trusted proxy sent it', async () => {
  const passedOn = { forwarded: 'for=198.51.100.1', 'x-real-ip': '203.0.113.1' }
  async function warningsOf(access: Partial<AccessPolicy>, headers: Headers) {
    const started = await startWith(access)
    started.app.log.level = 'warn'
    for (const each of [{}, headers, headers]) await subscribe(each, started)
    return started.logLines.filter((line) => line.includes('TRUST_PROXY'))
  }
  expect(await warningsOf(PROXY, { ...passedOn, 'x-forwarded-for': '198.51.100.1' })).toEqual([])
  const warnings = await warningsOf(OTHER_PROXY, passedOn)
  expect(warnings).toEqual([expect.stringContaining('"header":"forwarded"')])
  expect(warnings.join()).not.toMatch(/198\.51|203\.0|127\.0/)
})
