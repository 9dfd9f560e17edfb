import { expect, onTestFinished, test } from 'vitest'
import type { AccessPolicy } from '../../server/http/access.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { expectProblem } from '../support/server/problem.ts'

type Headers = Record<string, string>

async function startWith(access: Partial<AccessPolicy>) {
  const server = await buildTestApp({ access })
  onTestFinished(server.close)
  const subscribe = (headers: Headers) => server.post('/api/subscribe', { email: 'visitor@example.com' }, headers)
  return { ...server, subscribe }
}

const NONE = {}
const PROXY = { trustProxy: ['127.0.0.0/8'] }
const OTHER_PROXY = { trustProxy: ['192.0.2.1'] }
const NAMED = { publicOrigin: 'https://www.example.com' }

const ORIGIN = 'https://www.example.com'
const PASSED_ON = { origin: ORIGIN, host: 'inner', 'x-forwarded-host': 'www.example.com' }

// The contract check sends the other calls of the page itself.
test.each<[string, Partial<AccessPolicy>, Headers]>([
  ['the Host, in capitals and over https', NONE, { origin: ORIGIN, host: 'WWW.Example.com' }],
  ['PUBLIC_ORIGIN', NAMED, { origin: ORIGIN, host: 'inner:8080' }],
  ['a Host that a trusted proxy passes on', PROXY, PASSED_ON],
])('a call is of the page itself if its Origin is that of %s', async (_, access, headers) => {
  const { subscribe } = await startWith(access)
  expect((await subscribe(headers)).statusCode).toBe(200)
})

test.each<[string, Partial<AccessPolicy>, Headers]>([
  ['Sec-Fetch-Site says so, beside our Origin', NONE, { 'sec-fetch-site': 'cross-site', origin: ORIGIN }],
  ['its Origin only begins like ours', NONE, { origin: 'https://www.example.com.evil.example' }],
  ['its Origin is empty', NONE, { origin: '' }],
  ['its Origin is that of the Host, but PUBLIC_ORIGIN another', NAMED, { origin: 'https://inner', host: 'inner' }],
  ['its Host was passed on by another than the trusted proxy', OTHER_PROXY, PASSED_ON],
  ['its Host was passed on, and no proxy is trusted', NONE, PASSED_ON],
])('a call is of another site, and hears what to do, if %s', async (_, access, headers) => {
  const { subscribe } = await startWith(access)
  const answer = await subscribe({ host: 'www.example.com', ...headers })
  expect(expectProblem(answer, 403).detail).toContain('PUBLIC_ORIGIN')
})

test('a client address in a header is warned of once, unless a trusted proxy sent it', async () => {
  async function warningsOf(access: Partial<AccessPolicy>) {
    const { app, logLines, subscribe } = await startWith(access)
    app.log.level = 'warn'
    for (const address of ['198.51.100.1', '198.51.100.2']) await subscribe({ 'x-forwarded-for': address })
    return logLines.filter((line) => line.includes('TRUST_PROXY'))
  }
  expect(await warningsOf(PROXY)).toEqual([])
  expect(await warningsOf(OTHER_PROXY)).toEqual([expect.stringContaining('"header":"x-forwarded-for"')])
})
