import { afterEach, expect, test } from 'vitest'
import type { ServerProcess } from '../../scripts/server-process.ts'
import { ROUNDS } from '../support/rounds.ts'
import { DATABASES, makeDatabase } from '../support/server/databases.ts'
import { enquire, notificationEnv } from '../support/server/notification-env.ts'
import { startMailReceiver, startWebhookReceiver } from '../support/server/receivers.ts'
import { makeServerFolder } from '../support/server/server-process.ts'
import { until } from '../support/until.ts'

/** Of those ten that the full count has. */
const KILLS = Math.ceil(ROUNDS / 2)

/** Enquiries a round. */
const ENQUIRIES = 30

const undo: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const each of undo.splice(0)) await each()
})

/** A folder to run servers in, a database, and receivers, until the test ends. */
async function makeSandbox(kind: (typeof DATABASES)[number]) {
  const sandbox = makeServerFolder()
  const database = await makeDatabase(kind)
  const [mail, hook] = await Promise.all([startMailReceiver(), startWebhookReceiver()])
  undo.push(sandbox.remove, database.remove, mail.stop, hook.stop)
  return { sandbox, mail, hook, database }
}

test('kill -9 while receivers answer loses no event, and doubles only those whose answer was lost', async () => {
  // At the same time: each waits for a lease to end.
  await Promise.all(DATABASES.map(killInRounds))
})

async function killInRounds(kind: (typeof DATABASES)[number]) {
  const { sandbox, mail, hook, database } = await makeSandbox(kind)
  const { url, rows } = database
  const messages: string[] = []
  /** Of each delivery, the server that sent it. */
  const senders = new Map<string, number[]>()
  for (let life = 1; life <= KILLS; life++) {
    const server = await sandbox.start({ ...notificationEnv(mail, hook), DATABASE_URL: url })
    let came = 0
    for (const receiver of [mail, hook]) {
      receiver.behave((id) => {
        senders.set(id, [...(senders.get(id) ?? []), life])
        came += 1
        // What came now is answered to nobody.
        if (came === 5 + 3 * life) server.signal('SIGKILL')
        return 'take' as const
      })
    }
    messages.push(...(await enquire(server, ENQUIRIES)))
    expect(await server.exited).toBe(null)
  }
  const last = await sandbox.start({ ...notificationEnv(mail, hook), DATABASE_URL: url })
  for (const receiver of [mail, hook]) {
    receiver.behave((id) => {
      senders.set(id, [...(senders.get(id) ?? []), KILLS + 1])
      return 'take' as const
    })
  }
  const began = performance.now()
  await until(async () => (await rows('outbox')).length === 0)
  const seconds = (performance.now() - began) / 1000
  const lost = [mail, hook].flatMap((receiver) => messages.filter((message) => !receiver.messages().has(message)))
  const twice = [...senders.values()].filter((lives) => lives.length > 1)
  console.log(
    `kill -9 with notifications on ${kind}: ${KILLS} rounds, ${messages.length} enquiries acknowledged, ` +
      `${senders.size} events, ${lost.length} lost, ${twice.length} twice, the rest sent within ${seconds.toFixed(1)} s`,
  )
  expect(lost).toEqual([])
  // Twice by one server would be for nothing, and a server that was killed had no more than these in flight.
  expect(twice.filter((lives) => new Set(lives).size < lives.length)).toEqual([])
  expect(twice.length).toBeLessThanOrEqual(KILLS * 16)
  last.signal('SIGTERM')
  expect(await last.exited).toBe(0)
}

test('two servers on one PostgreSQL send each of 1,000 events once', async () => {
  const { sandbox, mail, hook, database } = await makeSandbox('postgres')
  const servers = await Promise.all(
    [1, 2].map(() =>
      sandbox.start({
        ...notificationEnv(mail, hook),
        NOTIFY_SMTP_URL: '',
        NOTIFY_FROM: '',
        NOTIFY_TO: '',
        DATABASE_URL: database.url,
        METRICS_PORT: '0',
      }),
    ),
  )
  // Each has eight in flight at most: sixteen are those of both.
  const both = Promise.withResolvers<void>()
  let inFlight = 0
  hook.behave(async () => {
    inFlight += 1
    if (inFlight === 16) both.resolve()
    await both.promise
    return 'take' as const
  })
  const began = performance.now()
  const messages: string[] = []
  for (let i = 0; i < 10; i++) {
    messages.push(...(await Promise.all(servers.map((server) => enquire(server, 50)))).flat())
  }
  expect(messages).toHaveLength(1000)
  await until(async () => (await database.rows('outbox')).length === 0)
  const seconds = (performance.now() - began) / 1000
  const ids = hook.deliveries.map(({ id }) => id)
  const shares = await Promise.all(servers.map(sent))
  console.log(
    `two servers: ${ids.length} deliveries of ${new Set(ids).size} events (${shares.join(' and ')}) in ${seconds.toFixed(1)} s`,
  )
  expect([ids.length, new Set(ids).size, hook.messages().size]).toEqual([1000, 1000, 1000])
})

/** How much of it a server says that it sent. */
async function sent(server: ServerProcess): Promise<number> {
  const metrics = /^Metrics on (\S+)$/m.exec(server.output())?.[1] ?? ''
  const text = await (await fetch(metrics)).text()
  return Number(/^leads_notification_tries_total\{channel="webhook",taken="true"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}
