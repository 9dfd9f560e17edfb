import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createMetrics } from '../../server/observability/metrics.ts'
import { CLOSED_PORT } from '../support/server/free-port.ts'
import { post } from '../support/server/post.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'
import { until } from '../support/until.ts'

const NOTIFY = {
  ...{ NOTIFY_WEBHOOK_URL: `http://127.0.0.1:${CLOSED_PORT}`, NOTIFY_WEBHOOK_SECRET: 'what both sides know' },
  NOTIFY_FIRST_DELAY: '3600',
}

const sandbox = makeServerFolder()
afterAll(sandbox.remove)
const limits = { RATE_LIMIT: 'on', RATE_LIMIT_SUBSCRIBE: '3/minute 60/hour' }
const server = await sandbox.start({ METRICS_PORT: '0', ...limits, ...NOTIFY })
const metrics = /^Metrics on (\S+)$/m.exec(server.output())?.[1] ?? ''

/** The values of these figures, by their names and labels as they are printed. */
async function figures(...names: string[]): Promise<number[]> {
  const lines = (await (await fetch(metrics)).text()).split('\n')
  return names.map((name) => Number(lines.find((each) => each.startsWith(`${name} `))?.slice(name.length + 1)))
}

const PENDING = 'leads_messages{channel="webhook",state="pending"}'
const FAILED = 'leads_messages{channel="webhook",state="failed"}'
const AGE = 'leads_oldest_pending_message_age_seconds{channel="webhook"}'
const COMMITS = 'leads_commit_duration_seconds_count'
const OF_FILE = ['leads_database_bytes', 'leads_database_free_bytes']
const OF_DATABASE = ['leads_database_up', PENDING, FAILED, AGE]

test('requests, latencies, commits, refusals and the queues are counted, and nothing of a visitor is among them', async () => {
  expect(await figures(...OF_DATABASE)).toEqual([1, 0, 0, 0])
  const times = [
    'http_request_duration_seconds_sum{method="POST",route="/api/subscribe",status="200"}',
    'leads_commit_duration_seconds_sum',
  ]
  const [, before = 0] = await figures(...times)
  const begun = performance.now()
  const subscribe = (body: object, headers = {}) => post(`${server.origin}/api/subscribe`, body, headers)
  await subscribe({ email: 'visitor@example.com' })
  await subscribe({ email: 'visitor@example.com' }, { 'sec-fetch-site': 'cross-site' })
  await subscribe({ email: 'visitor@example.com' }, { cookie: 'XSRF-TOKEN=a' })
  await subscribe({ email: 'plain' })
  await subscribe({ email: 'visitor@example.com' })
  await fetch(`${server.origin}/nowhere/visitor@example.com`, { redirect: 'manual' })

  const answers = [200, 403, 422, 429].map(
    (status) => `http_request_duration_seconds_count{method="POST",route="/api/subscribe",status="${status}"}`,
  )
  expect(await figures(...answers)).toEqual([1, 2, 1, 1])
  const [answering = 0, committing = 0] = await figures(...times)
  // The server takes no longer than its client, so these are seconds.
  expect(Math.max(answering, committing - before)).toBeLessThan((performance.now() - begun) / 1000)
  const [commits = 0, failed, waiting] = await figures(COMMITS, 'leads_failed_commits_total', 'leads_waiting')
  expect([commits > 0, failed, waiting]).toEqual([true, 0, 0])
  const reasons = ['cross-site', 'xsrf', 'rate-limit'].map((reason) => `leads_refused_total{reason="${reason}"}`)
  expect(await figures(...reasons)).toEqual([1, 1, 1])
  const rules = readFileSync('deploy/prometheus-rules.yml', 'utf8')
  const watched = [...rules.matchAll(/reason=~?"([^"]+)"/g)].flatMap(([, values = '']) => values.split('|'))
  expect(await figures(...watched.map((reason) => `leads_refused_total{reason="${reason}"}`))).toEqual([0, 0, 1])
  const [size = 0, free = 0] = await figures(...OF_FILE)
  expect([size > 0, free > size]).toEqual([true, true])
  expect(await figures('process_resident_memory_bytes')).not.toEqual([Number.NaN])
  await until(async () => ((await figures(AGE))[0] ?? 0) > 0)
  expect(await (await fetch(metrics)).text()).not.toMatch(/visitor|example|127\.0\.0\.1/)
})

test('they are on a port and a path of their own, for this machine alone', async () => {
  expect((await fetch(new URL('/', metrics))).status).toBe(404)
  expect((await fetch(`${server.origin}/metrics`, { redirect: 'manual' })).status).toBe(302)
  const listening = await createMetrics().listen(0)
  onTestFinished(() => void listening.close())
  expect(listening.address()).toMatchObject({ address: '127.0.0.1' })
})

test('while the database is locked it is down, and what waits is not known, nor the size of a file that is away', async () => {
  expect((await figures(PENDING))[0]).toBe(1)
  const other = new SqliteFile(sandbox.databaseFile)
  onTestFinished(() => void other.close())
  other.exec('begin exclusive')
  expect(await figures(...OF_DATABASE)).toEqual([0, Number.NaN, Number.NaN, Number.NaN])
  expect((await figures('leads_failed_commits_total'))[0]).toBeGreaterThan(0)
  renameSync(sandbox.databaseFile, join(sandbox.folder, 'elsewhere.db'))
  expect(await figures(...OF_FILE)).toEqual([Number.NaN, expect.any(Number)])
})
