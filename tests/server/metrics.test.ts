import { readFileSync } from 'node:fs'
import SqliteFile from 'better-sqlite3'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { CLOSED_PORT } from '../support/server/free-port.ts'
import { mailEnvironment } from '../support/server/mail-settings.ts'
import { post } from '../support/server/post.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'

const sandbox = makeServerFolder()
afterAll(sandbox.remove)
const { origin, output } = await sandbox.start({
  METRICS_PORT: '0',
  METRICS_HOST: '127.0.0.2',
  ...mailEnvironment(CLOSED_PORT),
  NOTIFY_FIRST_DELAY: '3600',
})
const metricsUrl = /^Metrics on (http:\/\/127\.0\.0\.2:\S+)$/m.exec(output())?.[1] ?? ''

const read = async () => (await fetch(metricsUrl)).text()

const atStart = await read()

const responses = (status: number) =>
  `http_request_duration_seconds_count{method="POST",route="/api/subscribe",status="${status}"}`

test.each([500, 503])('the count of answers with %s begins at 0, so that an alert sees the first', (status) => {
  expect(atStart).toContain(`\n${responses(status)} 0\n`)
})

test('every metric that an alert uses exists', () => {
  const names = readFileSync('deploy/prometheus-rules.yml', 'utf8').match(/\b(leads|http|process)_\w+/g) ?? []
  expect(names.filter((name) => !atStart.includes(name))).toEqual([])
  expect(names).toContain('leads_database_up')
})

test('responses and waiting mails are counted, without data of a visitor', async () => {
  await post(`${origin}/api/contact-us`, bodyOf(anEnquiry()))
  await post(`${origin}/api/subscribe`, subscriptionOf('visitor@example.com'))
  await fetch(`${origin}/nowhere/visitor@example.com`, { redirect: 'manual' })
  const text = await read()
  expect(text).toContain(`\n${responses(200)} 1\n`)
  expect(text).toContain('\nleads_mails{state="pending"} 1\n')
  expect(text).not.toMatch(/visitor|example|127\.0\.0\.1/)
})

test('a locked database counts as down', async () => {
  const otherProgram = new SqliteFile(sandbox.databaseFile)
  onTestFinished(() => void otherProgram.close())
  otherProgram.exec('begin exclusive')
  const text = await read()
  expect(text).toContain('\nleads_database_up 0\n')
  expect(text).toContain('\nleads_mails{state="pending"} Nan\n')
})
