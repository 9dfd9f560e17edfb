import { readFileSync } from 'node:fs'
import SqliteFile from 'better-sqlite3'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { subscriptionOf } from '../support/enquiries.ts'
import { CLOSED_PORT } from '../support/server/free-port.ts'
import { post } from '../support/server/post.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'

const sandbox = makeServerFolder()
afterAll(sandbox.remove)
const { origin, output } = await sandbox.start({
  METRICS_PORT: '0',
  METRICS_HOST: '127.0.0.2',
  NOTIFY_WEBHOOK_URL: `http://127.0.0.1:${CLOSED_PORT}`,
  NOTIFY_WEBHOOK_SECRET: 'what both sides know',
  NOTIFY_FIRST_DELAY: '3600',
})
const address = /^Metrics on (http:\/\/127\.0\.0\.2:\S+)$/m.exec(output())?.[1] ?? ''

const read = async () => (await fetch(address)).text()

const atStart = await read()

const responses = (status: number) =>
  `http_request_duration_seconds_count{method="POST",route="/api/subscribe",status="${status}"}`

test.each([responses(500), responses(503), 'leads_failed_commits_total', 'leads_refused_total'])(
  '%s begins at 0, so that an alert sees the first failure',
  (name) => {
    expect(atStart).toContain(`\n${name} 0\n`)
  },
)

test('every figure that an alert watches is there', () => {
  const names = readFileSync('deploy/prometheus-rules.yml', 'utf8').match(/\b(leads_(?!task)|http_|process_)\w+/g) ?? []
  expect(names.filter((name) => !atStart.includes(name))).toEqual([])
  expect(names).toContain('leads_database_up')
})

test('responses and waiting messages are counted, and nothing of a visitor is told', async () => {
  await post(`${origin}/api/subscribe`, subscriptionOf('visitor@example.com'))
  await fetch(`${origin}/nowhere/visitor@example.com`, { redirect: 'manual' })
  const text = await read()
  expect(text).toContain(`\n${responses(200)} 1\n`)
  expect(text).toContain('\nleads_messages{channel="webhook",state="pending"} 1\n')
  expect(text).not.toMatch(/visitor|example|127\.0\.0\.1/)
})

test('while the database is locked it is down, and what it refuses is counted', async () => {
  const other = new SqliteFile(sandbox.databaseFile)
  onTestFinished(() => void other.close())
  other.exec('begin exclusive')
  const text = await read()
  expect(text).toContain('\nleads_database_up 0\n')
  expect(text).toContain('\nleads_messages{channel="webhook",state="pending"} Nan\n')
  expect(await read()).toMatch(/^leads_failed_commits_total [1-9].+^leads_refused_total [1-9]/ms)
})
