import type { RequestListener } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { webhookSender } from '../../server/messages/webhook.ts'
import type { Message } from '../../server/storage/outbox-rows.ts'
import { anEnquiry, bodyOf, columnsOf } from '../support/enquiries.ts'
import { localServer, says } from '../support/local-server.ts'

const [ID, KEYS] = [crypto.randomUUID(), [Buffer.from('the secret from now on'), Buffer.from('the secret until now')]]

/** Starts a receiver of webhooks with these answers, and makes a sender for it. */
async function receiver(answer: RequestListener) {
  const { origin, received } = await localServer(answer)
  return { received, send: webhookSender({ url: `${origin}/hook`, keys: KEYS }) }
}

const ENQUIRY = anEnquiry({ message: 'x\r\n\u001b[2J\u202E\u0000 =?utf-8?q?encoded?= 名🙂' })
const created_at = '2026-11-21T08:30:00.000Z'
const enquiry = { id: 7, idempotency_key: ID, created_at, ...columnsOf(ENQUIRY) }
const subscription = { id: 7, email_key: 'visitor@example.com', email: 'Visitor@example.com', created_at }

test.each<[message: Message, type: string, data: object]>([
  [{ id: ID, kind: 'enquiry', lead: enquiry }, 'enquiry.created', { number: 7, ...bodyOf(ENQUIRY) }],
  [
    { id: ID, kind: 'subscription', lead: subscription },
    'subscription.created',
    { number: 7, email: subscription.email },
  ],
  [{ id: ID, kind: 'test', lead: { created_at } }, 'test', {}],
])('a webhook about "$kind" has the documented body, signed with each key', async (message, type, data) => {
  const { send, received } = await receiver(says(''))
  await send(message)
  const { headers = {}, body = '' } = received[0] ?? {}
  expect(JSON.parse(body)).toEqual({ id: ID, type, timestamp: created_at, data })
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': ID })
  for (const key of KEYS) new Webhook(key, { format: 'raw' }).verify(body, headers as Record<string, string>)
})

test.each<[result: string, answer: RequestListener, delivered: boolean, code: string]>([
  [
    'the answer 200 even if its body does not end',
    (_, answer) => void answer.writeHead(200).write('the start'),
    true,
    'HTTP 200',
  ],
  ['the answer 307, and follows no redirect', says('', 307, { location: '/elsewhere' }), false, 'HTTP 307'],
  ['a closed connection', ({ socket }) => socket.destroy(), false, 'UND_ERR_SOCKET'],
])('a webhook reports %s', async (_, answer, delivered, code) => {
  const { send, received } = await receiver(answer)
  expect(await send({ id: ID, kind: 'test', lead: { created_at } })).toEqual({ delivered, code })
  expect(received.map(({ path }) => path)).toEqual(['/hook'])
})
