import { createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DATABASES, makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { enquire, notificationEnv } from '../support/server/notification-env.ts'
import { type Behaviour, type Receiver, startMailReceiver, startWebhookReceiver } from '../support/server/receivers.ts'
import { makeServerFolder, type ServerFolder } from '../support/server/server-process.ts'
import { until } from '../support/until.ts'

let sandbox: ServerFolder
let mail: Receiver
let hook: Receiver
const databases: TestDatabase[] = []
beforeEach(async () => {
  sandbox = makeServerFolder()
  mail = await startMailReceiver()
  hook = await startWebhookReceiver()
})
afterEach(async () => {
  await sandbox.remove()
  await Promise.all([mail.stop(), hook.stop(), ...databases.splice(0).map((each) => each.remove())])
})

const FAULTS: readonly Behaviour[] = ['busy', 'refuse', 'drop', 'take and drop']

test.each(DATABASES)(
  'whatever the receivers do first, every enquiry arrives each way, twice only where the answer was lost, on %s',
  async (kind) => {
    const database = await makeDatabase(kind)
    databases.push(database)
    const server = await sandbox.start({
      ...notificationEnv(mail, hook),
      DATABASE_URL: database.url,
      METRICS_PORT: '0',
    })
    const metrics = /^Metrics on (\S+)$/m.exec(server.output())?.[1] ?? ''
    const lost = new Set<string>()
    for (const receiver of [mail, hook]) {
      let faults = 0
      receiver.behave((id, before) => {
        const behaviour = before === 0 ? (FAULTS[faults++ % FAULTS.length] ?? 'take') : 'take'
        if (behaviour === 'take and drop') lost.add(id)
        return behaviour
      })
    }
    const began = performance.now()
    const messages = await enquire(server, 40)
    expect(messages).toHaveLength(40)
    await until(async () => (await database.rows('outbox')).length === 0)
    const seconds = (performance.now() - began) / 1000
    let doubled = 0
    for (const receiver of [mail, hook]) {
      expect(messages.filter((message) => !receiver.messages().has(message))).toEqual([])
      const ids = receiver.deliveries.filter(({ isTaken }) => isTaken).map(({ id }) => id)
      const doubles = ids.filter((id, i) => ids.indexOf(id) !== i)
      expect(doubles.filter((id) => !lost.has(id))).toEqual([])
      doubled += doubles.length
    }
    expect(doubled).toBe(lost.size)
    console.log(
      `faults on ${kind}: 40 enquiries each way, 0 lost, ${doubled} twice (answer lost), all within ${seconds.toFixed(1)} s`,
    )
    const text = await (await fetch(metrics)).text()
    expect(text).toContain('leads_notification_tries_total{channel="mail",taken="true"} 40')
    expect(text).toContain('leads_notification_tries_total{channel="webhook",taken="true"} 40')
    expect(text).toContain('leads_notification_tries_total{channel="webhook",taken="false"} 40')
    expect(text.match(/^leads_notifications\{.+$/gm)).toEqual(
      ['mail', 'webhook'].flatMap((way) =>
        ['pending', 'failed'].map((state) => `leads_notifications{channel="${way}",state="${state}"} 0`),
      ),
    )
    expect(server.output() + text).not.toMatch(/visitor@|Given|Message|secret|desk@/)
    expect(server.output()).toMatch(/"code":"HTTP 503"/)
  },
)

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

test('receivers that are absent, then hang, then come back get everything; meanwhile no visitor waits for them', async () => {
  await Promise.all([mail.stop(), hook.stop()])
  const server = await sandbox.start(notificationEnv(mail, hook))
  expect(await enquire(server, 30)).toHaveLength(30)
  await until(() => server.output().includes('ECONNREFUSED') && server.output().includes('ESOCKET'))
  const mute = [await startMute(mail.port), await startMute(hook.port)]
  await until(() => mute.every(({ sockets }) => sockets.size > 0))
  // One after the other: if they waited for receivers, the test would end before they do.
  for (let i = 0; i < 30; i++) expect(await enquire(server, 1)).toHaveLength(1)
  await until(() => server.output().includes('ETIMEDOUT') && server.output().includes('TimeoutError'))
  await Promise.all(mute.map((each) => each.stop()))
  await Promise.all([mail.start(), hook.start()])
  await until(() => [mail, hook].every((receiver) => receiver.messages().size === 60))
})

test('SIGTERM ends the server while receivers hang: it says how much it abandons, and the next one sends it', async () => {
  hook.behave(() => 'hang')
  mail.behave(() => 'hang')
  const server = await sandbox.start(notificationEnv(mail, hook))
  await enquire(server, 3)
  await until(() => mail.deliveries.length === 3 && hook.deliveries.length === 3)
  server.signal('SIGTERM')
  expect(await server.exited).toBe(1)
  const last = JSON.parse(server.output().trim().split('\n').at(-1) ?? '')
  expect(last).toMatchObject({ level: 50, requests: 0, unanswered: 0, notifications: 6 })
  hook.behave(() => 'take')
  mail.behave(() => 'take')
  await sandbox.start(notificationEnv(mail, hook))
  await until(() => [mail, hook].every((receiver) => receiver.messages().size === 3))
})
