import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CLAIM_MS } from '../../server/messages/outbox.ts'
import { type Load, startLoad } from '../support/server/load.ts'
import { type Deployment, startDeployment } from '../support/server/nginx.ts'
import { follow, type Postgres, query, replaceStandby, startPostgres } from '../support/server/postgres.ts'
import { startProxy } from '../support/server/proxy.ts'
import { type Receiver, startWebhookReceiver } from '../support/server/receivers.ts'
import { ROUNDS, WAIT_TIMEOUT } from '../support/timeouts.ts'
import { until } from '../support/until.ts'

/** Calls that are acknowledged before and after each event. */
const ENOUGH = 300

let primary: Postgres
let standby: Postgres
let proxy: Awaited<ReturnType<typeof startProxy>>
let hook: Receiver
let deployment: Deployment
let load: Load
beforeAll(async () => {
  primary = await startPostgres()
  standby = await startPostgres()
  await makeStandby()
  hook = await startWebhookReceiver()
  proxy = await startProxy(() => Number(new URL(primary.url).port))
  deployment = await startDeployment({
    DATABASE_URL: `postgres://tests:tests@127.0.0.1:${proxy.port}/postgres`,
    RATE_LIMIT: 'off',
    NOTIFY_WEBHOOK_URL: hook.url,
    NOTIFY_WEBHOOK_SECRET: 'what both sides know',
    NOTIFY_FIRST_DELAY: '1',
  })
})
afterAll(async () => {
  await load.stop().catch(() => {})
  await deployment.remove()
  proxy.stop()
  await Promise.all([hook.stop(), primary.remove(), standby.remove()])
})

async function configure({ url }: Postgres, setting: string) {
  await query(url, `alter system set ${setting}`)
  await query(url, 'select pg_reload_conf()')
}

/** Has the primary acknowledge nothing that its standby has not on its disk. */
async function waitForStandby() {
  await configure(primary, "synchronous_standby_names = '*'")
  await until(async () => (await query(primary.url, "select 1 from pg_stat_replication where sync_state = 'sync'"))[0])
}

async function startCrowd() {
  load = startLoad(deployment.nginx, 50)
  await load.more(ENOUGH)
}

/** Promotes the standby, to which the proxy leads from then on, and waits until calls are acknowledged again. */
async function promote() {
  await query(standby.url, 'select pg_promote()')
  ;[primary, standby] = [standby, primary]
  await load.more(ENOUGH)
}

/** Makes the machine that was lost a standby, on an empty disk. */
async function makeStandby() {
  await replaceStandby(primary, standby)
  await waitForStandby()
}

/** Holds that all that was acknowledged is there, once, and that an event of each has come to the receiver. */
async function expectNothingLost() {
  await load.stop()
  const subscribers = await query<{ email: string }>(primary.url, 'select email from subscribers')
  const enquiries = await query<{ message: string }>(primary.url, 'select message from enquiries')
  expect(load.missingFrom(subscribers, enquiries)).toEqual([])
  expect(new Set(enquiries.map(({ message }) => message)).size).toBe(enquiries.length)
  // Each look takes the database a new connection.
  const isSent = async () => (await query(primary.url, 'select 1 from outbox limit 1')).length === 0
  // What a server had claimed when its connection broke waits for the end of the claim.
  await vi.waitUntil(isSent, { timeout: CLAIM_MS.webhook + WAIT_TIMEOUT, interval: 100 })
  const sent = hook.deliveries.filter(({ isTaken }) => isTaken).map(({ content }) => JSON.parse(`${content}`).data)
  const messages = sent.map(({ msg }) => ({ message: msg }))
  expect(load.missingFrom(sent, messages)).toEqual([])
  expect(deployment.nginx.logs().split('\n').filter(isInVain)).toEqual([])
}

/** Whether a line tells of a call that nginx refused, though no server had refused it, nor gone with an enquiry that it had. */
const isInVain = (line: string) =>
  line.includes(' POST 503 ') &&
  !/ upstream_status="(.+, )?503" /.test(line) &&
  !/ upstream_status="50[24]" upstream_connect_time="\d/.test(line)

test('a primary that is lost takes nothing acknowledged with it', async () => {
  for (let round = 1; round <= ROUNDS; round++) {
    await startCrowd()
    await primary.kill()
    rmSync(primary.data, { recursive: true })
    await load.refusals(50)
    await promote()
    await expectNothingLost()
    await makeStandby()
  }
})

test('a planned switchover and restarts lose and refuse nothing', async () => {
  await startCrowd()
  await primary.stop('fast')
  await promote()
  await follow(primary, standby)
  await waitForStandby()
  for (const server of deployment.servers) {
    server.signal('SIGTERM')
    expect(await server.exited).toBe(0)
    const answered = () =>
      deployment.nginx.logs().split(`="${new URL(server.origin).host}" upstream_status="200"`).length
    const before = answered()
    await deployment.restart(server)
    // nginx counts on it again.
    await until(() => answered() > before)
  }
  await expectNothingLost()
})
