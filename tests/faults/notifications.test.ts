import { createServer, type Socket } from 'node:net'
import { expect, test as plain } from 'vitest'
import type { ServerProcess } from '../../scripts/server-process.ts'
import { ROUNDS } from '../support/rounds.ts'
import { DATABASES, makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { enquire, notificationEnv } from '../support/server/notification-env.ts'
import { type Behaviour, startMailReceiver, startWebhookReceiver } from '../support/server/receivers.ts'
import { makeServerFolder } from '../support/server/server-process.ts'
import { until } from '../support/until.ts'

/** Of those ten that the full count has. */
const KILLS = Math.ceil(ROUNDS / 2)

async function makeSandbox() {
  const [mail, hook] = await Promise.all([startMailReceiver(), startWebhookReceiver()])
  const { start, remove } = makeServerFolder()
  return {
    mail,
    hook,
    receivers: [mail, hook],
    start: (database: Pick<TestDatabase, 'url'> | null = null, env: NodeJS.ProcessEnv = {}) =>
      start({ ...notificationEnv(mail, hook), DATABASE_URL: database?.url ?? '', METRICS_PORT: '0', ...env }),
    remove: () => Promise.all([remove(), mail.stop(), hook.stop()]),
  }
}

const test = plain.extend<{ sandbox: Awaited<ReturnType<typeof makeSandbox>> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures that this one needs from here.
  sandbox: async ({}, use) => {
    const sandbox = await makeSandbox()
    await use(sandbox)
    await sandbox.remove()
  },
})

// All at the same time: each waits for a lease, a pause or a time limit to end.
const { concurrent } = test

const isSent = (database: TestDatabase) => async () => (await database.rows('outbox')).length === 0

async function metricsOf(server: ServerProcess) {
  return (await fetch(/^Metrics on (\S+)$/m.exec(server.output())?.[1] ?? '')).text()
}

const FAULTS: readonly Behaviour[] = ['busy', 'refuse', 'drop', 'take and drop']

concurrent.for(DATABASES)(
  'whatever the receivers do first, every enquiry arrives each way, twice only where the answer was lost, on %s',
  async (kind, { sandbox: { receivers, start } }) => {
    const database = await makeDatabase(kind)
    const server = await start(database)
    const unheard = new Set<string>()
    for (const receiver of receivers) {
      let faults = 0
      receiver.behave((id, before) => {
        const behaviour = before === 0 ? (FAULTS[faults++ % FAULTS.length] ?? 'take') : 'take'
        if (behaviour === 'take and drop') unheard.add(id)
        return behaviour
      })
    }
    const messages = await enquire(server, 40)
    expect(messages).toHaveLength(40)
    await until(isSent(database))
    for (const receiver of receivers) expect(receiver.messages()).toEqual(new Set(messages))
    const taken = receivers.flatMap(({ deliveries }) => deliveries.filter(({ isTaken }) => isTaken).map(({ id }) => id))
    expect(new Set(taken.filter((id, i) => taken.indexOf(id) !== i))).toEqual(unheard)
    expect(taken).toHaveLength(80 + unheard.size)
    const metrics = await metricsOf(server)
    for (const channel of ['mail', 'webhook']) {
      expect(metrics).toContain(`leads_notification_tries_total{channel="${channel}",taken="true"} 40`)
      expect(metrics).toContain(`leads_notification_tries_total{channel="${channel}",taken="false"} 40`)
      expect(metrics).toContain(`leads_notifications{channel="${channel}",state="pending"} 0`)
    }
    expect(server.output() + metrics).not.toMatch(/visitor@|Given|Message|secret|desk@/)
    expect(server.output()).toMatch(/"code":"HTTP 503"/)
    await database.remove()
  },
)

concurrent.for(DATABASES)(
  'kill -9 while receivers answer loses no event, and doubles only those whose answer was lost, on %s',
  async (kind, { sandbox: { receivers, start } }) => {
    const database = await makeDatabase(kind)
    const messages: string[] = []
    /** Of each delivery, the lives of the server that sent it. */
    const senders = new Map<string, number[]>()
    for (let life = 1; life <= KILLS + 1; life++) {
      const server = await start(database)
      let came = 0
      for (const receiver of receivers) {
        receiver.behave((id) => {
          senders.set(id, [...(senders.get(id) ?? []), life])
          came += 1
          // What came now is answered to nobody.
          if (life <= KILLS && came === 5 + 3 * life) server.signal('SIGKILL')
          return 'take'
        })
      }
      if (life > KILLS) break
      messages.push(...(await enquire(server, 30)))
      expect(await server.exited).toBe(null)
    }
    await until(isSent(database))
    for (const receiver of receivers) expect([...receiver.messages()]).toEqual(expect.arrayContaining(messages))
    const twice = [...senders.values()].filter((lives) => lives.length > 1)
    console.log(`kill -9 on ${kind}: ${messages.length} acknowledged, ${senders.size} events, ${twice.length} twice`)
    // Twice by one server would be for nothing, and a server that was killed had no more than these in flight.
    expect(twice.filter((lives) => new Set(lives).size < lives.length)).toEqual([])
    expect(twice.length).toBeLessThanOrEqual(KILLS * 16)
    await database.remove()
  },
)

concurrent('two servers on one PostgreSQL send each of 1,000 events once', async ({ sandbox: { hook, start } }) => {
  const database = await makeDatabase('postgres')
  const env = { NOTIFY_SMTP_URL: '', NOTIFY_FROM: '', NOTIFY_TO: '' }
  const servers = [await start(database, env), await start(database, env)]
  // Each has eight in flight at most: sixteen are those of both.
  const both = Promise.withResolvers<void>()
  let inFlight = 0
  hook.behave(async () => {
    inFlight += 1
    if (inFlight === 16) both.resolve()
    await both.promise
    return 'take' as const
  })
  for (let i = 0; i < 10; i++) await Promise.all(servers.map((server) => enquire(server, 50)))
  await until(isSent(database))
  const ids = hook.deliveries.map(({ id }) => id)
  expect([ids.length, new Set(ids).size, hook.messages().size]).toEqual([1000, 1000, 1000])
})

/** Something listens there, and never says a word. */
async function startMute(port: number) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    sockets,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

concurrent(
  'receivers that are absent, then hang, then come back get everything; meanwhile no visitor waits for them',
  async ({ sandbox: { receivers, start } }) => {
    await Promise.all(receivers.map((receiver) => receiver.stop()))
    const server = await start()
    expect(await enquire(server, 30)).toHaveLength(30)
    await until(() => server.output().includes('ECONNREFUSED') && server.output().includes('ESOCKET'))
    const mute = await Promise.all(receivers.map(({ port }) => startMute(port)))
    await until(() => mute.every(({ sockets }) => sockets.size > 0))
    // One after the other: if they waited for receivers, the test would end before they do.
    for (let i = 0; i < 30; i++) expect(await enquire(server, 1)).toHaveLength(1)
    await until(() => server.output().includes('ETIMEDOUT') && server.output().includes('TimeoutError'))
    await Promise.all(mute.map((each) => each.stop()))
    await Promise.all(receivers.map((receiver) => receiver.start()))
    await until(() => receivers.every((receiver) => receiver.messages().size === 60))
  },
)

concurrent(
  'SIGTERM ends the server while receivers hang: it says how much it abandons, and the next one sends it',
  async ({ sandbox: { receivers, start } }) => {
    for (const receiver of receivers) receiver.behave(() => 'hang')
    const server = await start()
    await enquire(server, 3)
    await until(() => receivers.every(({ deliveries }) => deliveries.length === 3))
    server.signal('SIGTERM')
    expect(await server.exited).toBe(1)
    const last = JSON.parse(server.output().trim().split('\n').at(-1) ?? '')
    expect(last).toMatchObject({ level: 50, requests: 0, unanswered: 0, notifications: 6 })
    for (const receiver of receivers) receiver.behave(() => 'take')
    await start()
    await until(() => receivers.every((receiver) => receiver.messages().size === 3))
  },
)
