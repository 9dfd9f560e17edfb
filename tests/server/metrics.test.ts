import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { post } from '../support/post.ts'
import { makeServerFolder, type ServerFolder, type ServerProcess } from '../support/server-process.ts'

let place: ServerFolder
let server: ServerProcess
let metrics: string
beforeAll(async () => {
  place = makeServerFolder()
  server = await place.start({ METRICS_PORT: '0', RATE_LIMIT: 'on', RATE_LIMIT_SUBSCRIBE: '3/minute 60/hour' })
  metrics = /^Metrics on (\S+)$/m.exec(server.output())?.[1] ?? ''
})
afterAll(() => place.remove())

/** The value of a figure, by its name and labels as they are printed. */
async function figure(name: string): Promise<number> {
  const text = await (await fetch(metrics)).text()
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
  const { code, stderr } = await place.runToEnd({ METRICS_PORT: port, DATABASE_URL: 'sqlite:other.db' })
  expect([code, stderr]).toEqual([
    1,
    `Can't listen on port ${port} of 127.0.0.1 (EADDRINUSE): set METRICS_PORT to another.\n`,
  ])
})

test('without METRICS_PORT there are none', async () => {
  const quiet = await place.start({ DATABASE_URL: 'sqlite:quiet.db' })
  expect(quiet.output()).not.toContain('Metrics')
})
