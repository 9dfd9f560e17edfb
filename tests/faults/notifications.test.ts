import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test as plain } from 'vitest'
import { ROUNDS } from '../support/rounds.ts'
import { DATABASES, makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { enquiryBody, post } from '../support/server/post.ts'
import { type Behaviour, startMailReceiver, startWebhookReceiver } from '../support/server/receivers.ts'
import { makeServerFolder, type ServerProcess } from '../support/server/server-folder.ts'
import { until } from '../support/until.ts'

/** Of those ten that the full count has. */
const KILLS = Math.ceil(ROUNDS / 2)

// biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures that this one needs from here.
const test = plain.extend('sandbox', async ({}, { onCleanup }) => {
  const [mail, hook] = await Promise.all([startMailReceiver(), startWebhookReceiver()])
  const { start, remove } = makeServerFolder()
  onCleanup(async () => void (await Promise.all([remove(), mail.stop(), hook.stop()])))
  const mailTo = { NOTIFY_SMTP_URL: mail.url, NOTIFY_FROM: 'leads@example.com', NOTIFY_TO: 'desk@example.com' }
  const hookTo = { NOTIFY_WEBHOOK_URL: hook.url, NOTIFY_WEBHOOK_SECRET: 'what both sides know' }
  const settings = { ...mailTo, ...hookTo, NOTIFY_FIRST_DELAY: '1', METRICS_PORT: '0' }
  return {
    hook,
    receivers: [mail, hook],
    start: (database?: TestDatabase, env: NodeJS.ProcessEnv = {}) =>
      start({ ...settings, DATABASE_URL: database?.url ?? '', ...env }),
  }
})

let enquiries = 0

/** Sends enquiries at once, each with a message of its own; a busy machine that refuses one for now is asked again. */
const enquire = ({ origin }: ServerProcess, count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const msg = `Message ${++enquiries}.`
      const key = { 'idempotency-key': randomUUID() }
      let status = 503
      while (status === 503) ({ status } = await post(`${origin}/api/contact-us`, enquiryBody(msg), key))
      // A server that is killed answers nothing.
      return status === 200 ? [msg] : []
    }),
  ).then((messages) => messages.flat())

// All at the same time: each waits for a lease, a pause or a time limit to end.
const { concurrent } = test

const isSent = (database: TestDatabase) => async () => (await database.rows('outbox')).length === 0

const FAULTS: readonly Behaviour[] = ['refuse', 'drop', 'take and drop']

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
    const metrics = await (await fetch(/^Metrics on (\S+)$/m.exec(server.output())?.[1] ?? '')).text()
    for (const channel of ['mail', 'webhook']) {
      expect(metrics).toContain(`leads_notifications{channel="${channel}",state="pending"} 0`)
    }
    expect(server.output() + metrics).not.toMatch(/visitor@|Given|Message|secret|desk@/)
    // Once, however many fail.
    expect(server.output().match(/notifications by webhook fail \(HTTP 503\)/g)).toHaveLength(1)
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

concurrent('no commit wakes what sends: that would tell the next call whether a lead was new', async ({ sandbox }) => {
  const database = await makeDatabase('postgres')
  sandbox.hook.behave(() => 'hang')
  const server = await sandbox.start(database, { REVEAL_EXISTING: 'false' })
  const started = performance.now()
  for (let i = 0; i < 8; i++) await post(`${server.origin}/api/subscribe`, { email: `visitor${i}@example.com` })
  await until(() => sandbox.hook.deliveries.length === 8)
  const claims = new Set((await database.rows('outbox')).map(({ lease_until }) => lease_until))
  // One a second; each commit had one of its own when it woke the outbox.
  expect(claims.size).toBeLessThanOrEqual((performance.now() - started) / 1000 + 2)
})

concurrent(
  'receivers that are absent, then hang, then come back get everything; meanwhile no visitor waits for them',
  async ({ sandbox: { receivers, start } }) => {
    await Promise.all(receivers.map((receiver) => receiver.stop()))
    const server = await start()
    expect(await enquire(server, 30)).toHaveLength(30)
    await until(() => server.output().includes('ECONNREFUSED') && server.output().includes('ESOCKET'))
    // They never say a word.
    const mute = receivers.map(({ port }) => createServer(() => {}).listen(port, '127.0.0.1'))
    await Promise.all(mute.map((each) => once(each, 'connection')))
    // One after the other: if they waited for receivers, the test would end before they do.
    for (let i = 0; i < 30; i++) expect(await enquire(server, 1)).toHaveLength(1)
    await until(() => server.output().includes('ETIMEDOUT') && server.output().includes('TimeoutError'))
    for (const each of mute) each.close().closeAllConnections()
    await Promise.all(receivers.map((receiver) => receiver.start()))
    await until(() => receivers.every((receiver) => receiver.messages().size === 60))
  },
)
