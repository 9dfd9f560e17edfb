import { once } from 'node:events'
import { renameSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import type { ServerProcess } from '../../scripts/server-process.ts'
import { createMetrics } from '../../server/observability/metrics.ts'
import type { Store } from '../../server/storage/store.ts'
import { CLOSED_PORT } from '../support/server/closed-port.ts'
import { post } from '../support/server/post.ts'
import { startWebhookReceiver } from '../support/server/receivers.ts'
import { makeServerFolder, type ServerFolder } from '../support/server/server-process.ts'

let sandbox: ServerFolder
let server: ServerProcess
let metrics: string
beforeAll(async () => {
  sandbox = makeServerFolder()
  server = await sandbox.start({ METRICS_PORT: '0', RATE_LIMIT: 'on', RATE_LIMIT_SUBSCRIBE: '3/minute 60/hour' })
  metrics = metricsOf(server)
})
afterAll(() => sandbox.remove())

const metricsOf = (of: ServerProcess) => /^Metrics on (\S+)$/m.exec(of.output())?.[1] ?? ''

const NO_STORE: Store = {
  addSubscriber: async () => 'unavailable',
  addEnquiry: async () => 'unavailable',
  checkReadiness: async () => 'unavailable',
  waiting: () => ({ subscribers: 0, enquiries: 0 }),
  close: async () => {},
}

/** The value of a figure, by its name and labels as they are printed. */
async function figure(name: string, from = metrics): Promise<number> {
  const text = await (await fetch(from)).text()
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1))
}

test('requests, latencies, commits, refusals and the queue are counted', async () => {
  const subscribe = (body: object, headers = {}) => post(`${server.origin}/api/subscribe`, body, headers)
  await subscribe({ email: 'visitor@example.com' })
  await subscribe({ email: 'visitor@example.com' }, { 'sec-fetch-site': 'cross-site' })
  await subscribe({ email: 'visitor@example.com' }, { cookie: 'XSRF-TOKEN=a' })
  await subscribe({ email: 'plain' })
  await subscribe({ email: 'visitor@example.com' })
  await fetch(`${server.origin}/nowhere/visitor@example.com`, { redirect: 'manual' })

  const answers = (status: number) =>
    figure(`http_request_duration_seconds_count{method="POST",route="/api/subscribe",status="${status}"}`)
  expect(await Promise.all([200, 403, 422, 429].map(answers))).toEqual([1, 2, 1, 1])
  expect(await figure('leads_committed_total{queue="subscribers"}')).toBe(1)
  expect(await figure('leads_commit_duration_seconds_count{queue="subscribers"}')).toBe(1)
  expect(await figure('leads_waiting{queue="subscribers"}')).toBe(0)
  const reasons = ['cross-site', 'xsrf', 'rate-limit'].map((reason) =>
    figure(`leads_refused_total{reason="${reason}"}`),
  )
  expect(await Promise.all(reasons)).toEqual([1, 1, 1])
  expect(await figure('process_resident_memory_bytes')).toBeGreaterThan(0)
})

test('the version of the server and of its runtime are told', async () => {
  expect(await figure(`leads_build_info{version="${packageJson.version}",node="${process.versions.node}"}`)).toBe(1)
})

describe('while the database is away its figures stay', () => {
  const NOTIFYING = { METRICS_PORT: '0', NOTIFY_WEBHOOK_SECRET: 'what both sides know', NOTIFY_FIRST_DELAY: '3600' }
  const PENDING = 'leads_notifications{channel="webhook",state="pending"}'
  const FAILED = 'leads_notifications{channel="webhook",state="failed"}'
  const AGE = 'leads_oldest_pending_notification_age_seconds{channel="webhook"}'

  test('it is down, and what waits is what waited last', async () => {
    const hook = await startWebhookReceiver()
    await hook.stop()
    const server = await sandbox.start({ ...NOTIFYING, DATABASE_URL: 'sqlite:away.db', NOTIFY_WEBHOOK_URL: hook.url })
    const figures = () =>
      Promise.all(['leads_database_up', PENDING, FAILED, AGE].map((name) => figure(name, metricsOf(server))))
    expect(await figures()).toEqual([1, 0, 0, 0])
    await post(`${server.origin}/api/subscribe`, { email: 'visitor@example.com' })
    const before = await figures()
    expect(before.slice(0, 3)).toEqual([1, 1, 0])
    renameSync(join(sandbox.folder, 'away.db'), join(sandbox.folder, 'elsewhere.db'))
    const away = await figures()
    expect(away.slice(0, 3)).toEqual([0, 1, 0])
    expect(away[3]).toBeGreaterThan(before[3] ?? 0)
  })

  test('from the start on: it is down, and what waits is not known', async () => {
    const DATABASE_URL = `postgres://127.0.0.1:${CLOSED_PORT}/leads`
    const server = await sandbox.start({ ...NOTIFYING, DATABASE_URL, NOTIFY_WEBHOOK_URL: 'http://127.0.0.1:9' })
    const text = await (await fetch(metricsOf(server))).text()
    expect(text).toMatch(/^leads_database_up 0$/m)
    for (const name of [PENDING, FAILED, AGE]) expect(text).toContain(`\n${name} Nan\n`)
  })
})

test('nothing of a visitor is among them', async () => {
  const text = await (await fetch(metrics)).text()
  expect(text).not.toMatch(/visitor|example|127\.0\.0\.1/)
})

test('they are on a port and a path of their own', async () => {
  expect((await fetch(new URL('/', metrics))).status).toBe(404)
  expect((await fetch(`${server.origin}/metrics`, { redirect: 'manual' })).status).toBe(302)
})

test('they are for this machine alone', async () => {
  const { port } = new URL(metrics)
  const others = Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address),
  )
  for (const address of others) await expect(fetch(`http://${address}:${port}/metrics`)).rejects.toThrow('fetch failed')
})

test('a port that is in use ends the start in one line that tells what to set', async () => {
  const { port } = new URL(metrics)
  const { code, stderr } = await sandbox.runToEnd({ METRICS_PORT: port, DATABASE_URL: 'sqlite:other.db' })
  expect([code, stderr]).toEqual([
    1,
    `Can't listen on port ${port} of 127.0.0.1 (EADDRINUSE): set METRICS_PORT to another port.\n`,
  ])
})

test('a figure that can not be read is answered 500, and ends nothing', async () => {
  const broken = createMetrics()
  const fail = () => {
    throw new Error('broken')
  }
  broken.registerGauges({ ...NO_STORE, waiting: fail }, [], async () => [])
  const listening = await broken.listen(0)
  const address = listening.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/metrics`
  expect((await fetch(url)).status).toBe(500)
  listening.close()
  await once(listening, 'close')
})

test('without METRICS_PORT there are none', async () => {
  const quiet = await sandbox.start({ DATABASE_URL: 'sqlite:quiet.db' })
  expect(quiet.output()).not.toContain('Metrics')
})
