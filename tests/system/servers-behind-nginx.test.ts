import { randomUUID } from 'node:crypto'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { CLIENTS } from '../../scripts/nginx.ts'
import { query } from '../../scripts/postgres.ts'
import {
  enquiry,
  expectBareLogs,
  expectProblemAnswer,
  portOf,
  startDeployment,
  subscription,
} from '../support/server/deployment.ts'
import { WAIT_TIMEOUT } from '../support/timeouts.ts'

test('the limits hold for each client over both servers, whatever it says of itself', async () => {
  const deployment = await startDeployment({ RATE_LIMIT: 'on' })
  onTestFinished(deployment.remove)
  const { nginx, databaseUrl } = deployment
  const statuses = async (from: string) => {
    const answers: number[] = []
    for (let i = 0; i < 12; i++) {
      const call = subscription(`${randomUUID()}@example.com`)
      const lie = { 'x-forwarded-for': `192.0.2.${i}`, 'x-real-ip': `192.0.2.${i}`, forwarded: `for=192.0.2.${i}` }
      const answer = await nginx.send('/api/subscribe', { ...call, headers: { ...call.headers, ...lie }, from })
      answers.push(answer.status)
      if (answer.status === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
    return answers
  }
  const wanted = [...Array(10).fill(200), 429, 429]
  const clients = CLIENTS.slice(0, 16)
  for (const from of clients) expect(await statuses(from)).toEqual(wanted)
  expect(await query(databaseUrl, 'select email from subscribers')).toHaveLength(10 * clients.length)
  expectBareLogs(deployment)
})

test('the log tells which server failed and how, and of no client', async () => {
  const deployment = await startDeployment({ RATE_LIMIT: 'off' })
  onTestFinished(deployment.remove)
  const { nginx, servers } = deployment
  const upstream = (index: 0 | 1) => `127.0.0.1:${portOf(servers[index])}`
  /** Calls from many addresses until a line of the log tells of `expected`. */
  const callUntil = (...expected: string[]) =>
    vi.waitUntil(
      async () => {
        await Promise.all(CLIENTS.map((from) => nginx.send('/api/contact-us', { ...enquiry('x'), from })))
        return nginx
          .logs()
          .split('\n')
          .some((line) => expected.every((part) => line.includes(part)))
      },
      { timeout: 60_000 },
    )
  servers[0].signal('SIGSTOP')
  await callUntil(' POST 503 ', `upstream_addr="${upstream(0)}"`, 'upstream_status="504"')
  servers[0].signal('SIGKILL')
  await servers[0].exited
  await callUntil(' POST 200 ', `upstream_addr="${upstream(0)}, ${upstream(1)}"`, 'upstream_status="502, 200"')
  servers[1].signal('SIGKILL')
  await servers[1].exited
  await callUntil(' POST 503 ', 'upstream_addr="launching_soon"', 'upstream_status="502"')
  expectBareLogs(deployment)
})

test('/readyz and /healthz tell from outside what the servers tell', async () => {
  const deployment = await startDeployment({})
  onTestFinished(deployment.remove)
  const { nginx, servers, databaseUrl } = deployment
  const name = new URL(databaseUrl).pathname.slice(1)
  const statusOf = async (path: string) => (await nginx.send(path)).status
  const isReady = async () => (await statusOf('/readyz')) === 200
  expect(await isReady()).toBe(true)

  await query(inject('postgresUrl'), `alter database ${name} allow_connections false`)
  await query(inject('postgresUrl'), `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  await vi.waitUntil(async () => !(await isReady()), { timeout: WAIT_TIMEOUT })
  expectProblemAnswer(await nginx.send('/readyz'), 503)
  expect(await statusOf('/healthz')).toBe(200)
  await query(inject('postgresUrl'), `alter database ${name} allow_connections true`)
  await vi.waitUntil(isReady, { timeout: WAIT_TIMEOUT })

  // Visitors notice nothing of one server that is gone.
  servers[0].signal('SIGKILL')
  await servers[0].exited
  for (const from of CLIENTS) expect((await nginx.send('/readyz', { from })).status).toBe(200)
  servers[1].signal('SIGKILL')
  await servers[1].exited
  for (const path of ['/readyz', '/healthz']) expectProblemAnswer(await nginx.send(path), 503)
})
