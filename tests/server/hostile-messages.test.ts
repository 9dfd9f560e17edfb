import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { mailSender } from '../../server/messages/mail.ts'
import { webhookSender } from '../../server/messages/webhook.ts'
import type { Message } from '../../server/storage/outbox-rows.ts'
import { ENQUIRY_FIELDS, type TypedEnquiry } from '../../src/domain/enquiry.ts'
import { anEnquiry, bodyOf, columnsOf } from '../support/enquiries.ts'
import { localServer, says } from '../support/local-server.ts'
import { startMailReceiver } from '../support/server/receivers.ts'
import { ROUNDS } from '../support/timeouts.ts'

const HOSTILE: readonly string[] = [
  'x\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>',
  'x\nSubject: other\n\nbody\rTo: victim@example.com',
  '\u001b[2J\u001b]0;title\u0007\u009b31m \u202Egnp.exe\u202C \u2066a\u2069 \u200F',
  '.\r\n.\r\nQUIT\r\n',
  'a\u2028b\u2029c\u0085d\u007f',
  'x'.repeat(5000),
  '=?utf-8?q?encoded?= %0d%0aBcc:%20victim@example.com',
  '名🙂\u0000',
]

const KEY = Buffer.from('what both sides know')

const mail = await startMailReceiver()
afterAll(mail.stop)

const ends = { from: 'leads@example.com', to: ['desk@example.com', 'second@example.com'], site: 'www.example.com' }
const server = { host: '127.0.0.1', port: mail.port, secure: false, ca: null, login: null, greetAs: 'www.example.com' }
const settings = { ...server, ...ends }
const sendMail = mailSender(settings)

let messages = 0

const created_at = '2026-11-21T08:30:00.000Z'

function enquiry(fields: Partial<TypedEnquiry> = {}): Message {
  const id = `00000000-0000-4000-8000-${String(++messages).padStart(12, '0')}`
  return {
    id,
    kind: 'enquiry',
    lead: { id: messages, idempotency_key: id, created_at, ...columnsOf(anEnquiry(fields)) },
  }
}

const subscription: Message = {
  id: '00000000-0000-4000-8000-000000000000',
  kind: 'subscription',
  lead: { id: 7, email_key: 'visitor@example.com', email: 'Visitor@example.com', created_at },
}

/** The lines of the one block of headers, unfolded and in order, and what follows it as the text that it stands for. */
async function letterOf(message: Message) {
  expect(await sendMail(message)).toEqual({ delivered: true, code: '250' })
  const letter = mail.deliveries.find(({ id }) => id === message.id)?.content.toString('latin1') ?? ''
  const [head = '', ...rest] = letter.split('\r\n\r\n')
  const headers = head
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .toSorted()
  const [, encoding = ''] = /^Content-Transfer-Encoding: (.+)$/m.exec(headers.join('\n')) ?? []
  return { headers, body: decode(rest.join('\r\n\r\n'), encoding).replaceAll('\r\n', '\n') }
}

function decode(encoded: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(encoded, 'base64').toString()
  if (encoding !== 'quoted-printable') return encoded
  return decodeURIComponent(encoded.replace(/=\r\n/g, '').replace(/%/g, '=25').replaceAll('=', '%'))
}

/** Raw, these would be obeyed by a terminal or a mail program. */
const RAW = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u

describe('a letter', () => {
  const headersOf = ({ id }: Message, subject: string, replyTo?: string) => [
    'Auto-Submitted: auto-generated',
    expect.stringMatching(/^Content-Transfer-Encoding: /),
    'Content-Type: text/plain; charset=utf-8',
    expect.stringMatching(/^Date: /),
    'From: leads@example.com',
    'MIME-Version: 1.0',
    `Message-ID: <${id}@example.com>`,
    ...(replyTo ? [`Reply-To: ${replyTo}`] : []),
    `Subject: ${subject}, www.example.com`,
    'To: desk@example.com, second@example.com',
  ]

  test('has its headers, and the text of the visitor in its body alone', async () => {
    const message = enquiry({ first: 'Ñandú', message: 'a\u001b[2J\u202Eb\r\n\tc\rd' })
    const { headers, body } = await letterOf(message)
    expect(headers).toEqual(headersOf(message, `Enquiry ${messages}`, 'visitor@example.com'))
    const text = 'Ñandú Family <visitor@example.com>\n\na<U+001B>[2J<U+202E>b\n\tc\nd'
    expect(body).toBe(`Enquiry ${messages}, ${created_at} (UTC)\n${text}\n`)
    // A mail program might read it as another address.
    const encoded = enquiry({ email: '=?utf-8?q?x?=@example.com' })
    expect((await letterOf(encoded)).headers).toEqual(headersOf(encoded, `Enquiry ${messages}`))
    const other = await letterOf(subscription)
    expect(other.headers).toEqual(headersOf(subscription, 'Subscription 7'))
    expect(other.body).toBe(`Subscription 7, ${created_at} (UTC)\nVisitor@example.com\n`)
  })

  test('has one header block, without a header or control of a visitor', async () => {
    const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 300 }), 5 * ROUNDS)
    const sent = [...HOSTILE, ...texts].flatMap((text) => ENQUIRY_FIELDS.map((field) => ({ [field]: text })))
    const check = async (lead: (typeof sent)[number]) => {
      const message = enquiry(lead)
      const number = messages
      const { headers, body } = await letterOf(message)
      // What is no address is answered to nobody.
      const replyTo = 'email' in lead ? undefined : 'visitor@example.com'
      expect(headers).toEqual(headersOf(message, `Enquiry ${number}`, replyTo))
      expect(body).not.toMatch(RAW)
    }
    await Promise.all(sent.map(check))
  })

  test('that is refused tells a code and no text; a password is never sent unencrypted', async () => {
    mail.behave(() => 'refuse')
    expect(await sendMail(enquiry())).toEqual({ delivered: false, code: 'DATA 550' })
    mail.behave(() => 'drop')
    expect(await sendMail(enquiry())).toEqual({ delivered: false, code: `ECONNECTION 127.0.0.1:${mail.port}` })
    mail.behave(() => 'take')
    const send = mailSender({ ...settings, login: { user: 'user', pass: 'secret' } })
    expect(await send(enquiry())).toEqual({ delivered: false, code: 'STARTTLS 500' })
  })
})

describe('a webhook', () => {
  const contract = parse(readFileSync('webhooks.yaml', 'utf8'))
  const isEvent = new Ajv({ strict: false, validateFormats: false })
    .addSchema(parse(readFileSync('openapi.yaml', 'utf8')), 'file:///openapi.yaml')
    .addSchema(contract, 'file:///webhooks.yaml')
    .compile({ $ref: 'file:///webhooks.yaml#/components/schemas/LeadEvent' })

  /** A receiver of webhooks, as it answers, and what sends to it. */
  async function receiver(answer: RequestListener, keys = [KEY]) {
    const { origin, received } = await localServer(answer)
    return { received, send: webhookSender({ url: `${origin}/hook`, keys }) }
  }

  test('holds hostile content to the letter, and is signed with each key', async () => {
    const keys = [Buffer.from('the secret from now on'), Buffer.from('the secret until now')]
    const { send, received } = await receiver(says(''), keys)
    const began = Math.floor(Date.now() / 1000)
    await send(enquiry({ message: HOSTILE.join('\n') }))
    const { headers = {}, body = '' } = received[0] ?? {}
    expect(JSON.parse(body).data.msg).toBe(HOSTILE.join('\n'))
    const timestamp = Number(headers['webhook-timestamp'])
    expect(timestamp).toBeGreaterThanOrEqual(began)
    expect(timestamp).toBeLessThanOrEqual(Date.now() / 1000)
    for (const key of keys) new Webhook(key, { format: 'raw' }).verify(body, headers as Record<string, string>)
    expect(headers['webhook-signature']?.toString().split(' ')).toHaveLength(keys.length)
    const { parameters } = contract.webhooks.lead.post
    const { schema } = parameters.find(({ name }: { name: string }) => name === 'Webhook-Signature')
    expect(headers['webhook-signature']).toMatch(new RegExp(schema.pattern))
  })

  test.each<[Message, string, object]>([
    [enquiry(), 'enquiry.created', { number: messages, ...bodyOf(anEnquiry()) }],
    [subscription, 'subscription.created', { number: 7, email: 'Visitor@example.com' }],
    [{ id: subscription.id, kind: 'test', lead: { created_at } }, 'test', {}],
  ])('is what the contract says, with the same id and bytes at a repeat: %#', async (message, type, data) => {
    const { send, received } = await receiver(says(''))
    for (let i = 0; i < 2; i++) await send(message)
    const [first, repeat] = received
    expect(repeat?.body).toBe(first?.body)
    expect(repeat?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': message.id })
    const body = JSON.parse(repeat?.body ?? '')
    expect(isEvent(body)).toBe(true)
    expect(body).toEqual({ id: message.id, type, timestamp: created_at, data })
  })

  test.each<[how: string, answer: RequestListener, delivered: boolean, code: string]>([
    ['200', says(''), true, 'HTTP 200'],
    ['200 without an end', (_, answer) => void answer.writeHead(200).write('the start'), true, 'HTTP 200'],
    ['307, and follows nowhere', says('', 307, { location: '/elsewhere' }), false, 'HTTP 307'],
    ['by the end of its connection', ({ socket }) => socket.destroy(), false, 'UND_ERR_SOCKET'],
  ])('tells what came of it: one is answered %s', async (_, answer, delivered, code) => {
    const { send, received } = await receiver(answer)
    expect(await send(enquiry())).toEqual({ delivered, code })
    expect(received.map(({ path }) => path)).toEqual(['/hook'])
  })
})
