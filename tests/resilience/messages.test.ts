import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test as plain } from 'vitest'
import { anEnquiry, bodyOf } from '../support/enquiries.ts'
import { makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { post } from '../support/server/post.ts'
import { type Receiver, startMailReceiver, startWebhookReceiver } from '../support/server/receivers.ts'
import { makeServerFolder, type ServerProcess } from '../support/server/server-folder.ts'
import { ROUNDS } from '../support/timeouts.ts'
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
  const settings = { ...mailTo, ...hookTo, NOTIFY_FIRST_DELAY: '1' }
  return {
    receivers: [mail, hook],
    start: (DATABASE_URL = '') => start({ ...settings, DATABASE_URL }),
  }
})

/** The messages, as `enquire` makes them, in what came. */
const messagesOf = ({ deliveries }: Receiver) =>
  new Set(deliveries.flatMap(({ content }) => content.toString().match(/Message \d+\./) ?? []))

let enquiries = 0

/** Sends enquiries at once, each with a message of its own; a busy machine that refuses one for now is asked again. */
const enquire = ({ origin }: ServerProcess, count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const message = `Message ${++enquiries}.`
      const key = { 'idempotency-key': randomUUID() }
      let status = 503
      while (status === 503) ({ status } = await post(`${origin}/api/contact-us`, bodyOf(anEnquiry({ message })), key))
      // A server that is killed answers nothing.
      return status === 200 ? [message] : []
    }),
  ).then((messages) => messages.flat())

/** Ends the claims of a server that was killed, as their time would within two minutes. */
async function endClaims({ open }: TestDatabase) {
  const database = await open()
  await database.run((db) => db.updateTable('outbox').set({ claimed_until: null }).execute())
  await database.close()
}

// All at the same time: each waits for a pause or a time limit to end.
test.concurrent('kill -9 loses no message, and doubles only those whose answer was lost', async ({
  sandbox: { receivers, start },
}) => {
  const database = await makeDatabase('sqlite')
  const messages: string[] = []
  /** Of each delivery, the lives of the server that sent it. */
  const senders = new Map<string, number[]>()
  for (let life = 1; life <= KILLS + 1; life++) {
    if (life > 1) await endClaims(database)
    const server = await start(database.url)
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
  await until(async () => (await database.rows('outbox')).length === 0)
  for (const receiver of receivers) expect([...messagesOf(receiver)]).toEqual(expect.arrayContaining(messages))
  const twice = [...senders.values()].filter((lives) => lives.length > 1)
  // Twice by one server would be for nothing, and a server that was killed had no more than these in flight.
  expect(twice.filter((lives) => new Set(lives).size < lives.length)).toEqual([])
  expect(twice.length).toBeLessThanOrEqual(KILLS * 16)
  await database.remove()
})

test.concurrent('receivers that were away and hung get everything, and no visitor waits', async ({
  sandbox: { receivers, start },
}) => {
  await Promise.all(receivers.map((receiver) => receiver.stop()))
  const server = await start()
  expect(await enquire(server, 30)).toHaveLength(30)
  await until(() => server.output().includes('(ECONNREFUSED)') && server.output().includes('(ECONNREFUSED 127.0.0.1:'))
  // They never say a word.
  const mute = receivers.map(({ port }) => createServer(() => {}).listen(port, '127.0.0.1'))
  await Promise.all(mute.map((each) => once(each, 'connection')))
  // One after the other: if they waited for receivers, the test would end before they do.
  for (let i = 0; i < 30; i++) expect(await enquire(server, 1)).toHaveLength(1)
  await until(() => server.output().includes('ETIMEDOUT') && server.output().includes('TimeoutError'))
  for (const each of mute) each.close().closeAllConnections()
  await Promise.all(receivers.map((receiver) => receiver.start()))
  await until(() => receivers.every((receiver) => messagesOf(receiver).size === 60))
  expect(server.output()).not.toMatch(/visitor@|Given|Message|secret|desk@/)
})

test.concurrent('while a server hangs, another one sends what is due', async ({ sandbox: { receivers, start } }) => {
  const database = await makeDatabase('postgres')
  const first = await start(database.url)
  const areSent = (count: number) => until(() => receivers.every(({ deliveries }) => deliveries.length >= count))
  await enquire(first, 1)
  await areSent(1)
  const second = await start(database.url)
  first.signal('SIGSTOP')
  await enquire(second, 30)
  await areSent(31)
  first.signal('SIGCONT')
  await until(async () => (await database.rows('outbox')).length === 0)
  for (const receiver of receivers) expect([messagesOf(receiver).size, receiver.deliveries.length]).toEqual([31, 31])
  await database.remove()
})
