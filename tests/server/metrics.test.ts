import { readFileSync } from 'node:fs'
import SqliteFile from 'better-sqlite3'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { subscriptionOf } from '../support/enquiries.ts'
import { CLOSED_PORT } from '../support/server/free-port.ts'
import { post } from '../support/server/post.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'

const sandbox = makeServerFolder()
afterAll(sandbox.remove)
const start = () =>
  sandbox.start({
    METRICS_PORT: '0',
    NOTIFY_WEBHOOK_URL: `http://127.0.0.1:${CLOSED_PORT}`,
    NOTIFY_WEBHOOK_SECRET: 'what both sides know',
    NOTIFY_FIRST_DELAY: '3600',
  })
const server = await start()

const metricsOf = ({ output }: typeof server) => /^Metrics on (\S+)$/m.exec(output())?.[1] ?? ''

const read = async () => (await fetch(metricsOf(server))).text()

/** The value of a figure, by its name and labels as they are printed; NaN if it is not there. */
async function figure(name: string): Promise<number> {
  const line = (await read()).split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? Number.NaN)
}

const responses = (status: number) =>
  `http_request_duration_seconds_count{method="POST",route="/api/subscribe",status="${status}"}`

const subscribe = (body: object, headers = {}) => post(`${server.origin}/api/subscribe`, body, headers)

test.each([responses(500), responses(503), 'leads_failed_commits_total', 'leads_refused_total'])(
  '%s begins at 0, so that an alert sees the first failure',
  async (name) => {
    expect(await figure(name)).toBe(0)
  },
)

test('responses are counted by route and status', async () => {
  const [ok, invalid] = [await figure(responses(200)), await figure(responses(422))]
  await subscribe(subscriptionOf())
  await subscribe({ email: 'plain' })
  expect(await figure(responses(200))).toBe((ok || 0) + 1)
  expect(await figure(responses(422))).toBe((invalid || 0) + 1)
})

test('nothing of a visitor is among them', async () => {
  await subscribe(subscriptionOf('visitor@example.com'))
  await fetch(`${server.origin}/nowhere/visitor@example.com`, { redirect: 'manual' })
  expect(await read()).not.toMatch(/visitor|example|127\.0\.0\.1/)
})

test('messages that wait are counted', async () => {
  await subscribe(subscriptionOf('waiting@example.com'))
  expect(await figure('leads_messages{channel="webhook",state="pending"}')).toBeGreaterThan(0)
  expect(await figure('leads_messages{channel="webhook",state="failed"}')).toBe(0)
})

test('every figure that an alert watches is there', async () => {
  const names = readFileSync('deploy/prometheus-rules.yml', 'utf8').match(/\b(leads_(?!task)|http_|process_)\w+/g) ?? []
  const text = await read()
  expect(names.filter((name) => !text.includes(name))).toEqual([])
  expect(names).toContain('leads_database_up')
})

test('while the database is locked it is down, and refused calls are counted', async () => {
  const other = new SqliteFile(sandbox.databaseFile)
  onTestFinished(() => void other.close())
  other.exec('begin exclusive')
  expect(await figure('leads_database_up')).toBe(0)
  expect(await figure('leads_messages{channel="webhook",state="pending"}')).toBe(Number.NaN)
  expect(await figure('leads_failed_commits_total')).toBeGreaterThan(0)
  expect(await figure('leads_refused_total')).toBeGreaterThan(0)
})

test('they are on a port of their own', async () => {
  expect((await fetch(new URL('/', metricsOf(server)))).status).toBe(404)
  expect((await fetch(`${server.origin}/metrics`, { redirect: 'manual' })).status).toBe(302)
})

test('they are on the address of METRICS_HOST', async () => {
  const other = await sandbox.start({ METRICS_PORT: '0', METRICS_HOST: '127.0.0.2' })
  expect(metricsOf(other)).toContain('//127.0.0.2:')
  expect((await fetch(metricsOf(other))).status).toBe(200)
})
