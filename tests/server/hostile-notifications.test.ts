import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Sender } from '../../server/notifications/delivery.ts'
import { mailSender } from '../../server/notifications/mail.ts'
import { webhookSender } from '../../server/notifications/webhook.ts'
import type { LeadEvent } from '../../server/storage/outbox-rows.ts'
import { ROUNDS } from '../support/rounds.ts'
import { type Receiver, startMailReceiver, startWebhookReceiver } from '../support/server/receivers.ts'

const INJECTION = 'x\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>'
const HOSTILE: readonly string[] = [
  INJECTION,
  'x\nSubject: other\n\nbody',
  'x\rTo: victim@example.com',
  '\u001b[2J\u001b]0;title\u0007\u009b31m',
  '\u202Egnp.exe\u202C \u2066a\u2069 \u200F',
  '=HYPERLINK("http://example.com")',
  '.\r\n.\r\nQUIT\r\n',
  'a\u2028b\u2029c\u0085d\u007f',
  'x'.repeat(5000),
  '=?utf-8?q?encoded?= %0d%0aBcc:%20victim@example.com',
  '名🙂\u0000',
]

let mail: Receiver
let hook: Receiver
let sendMail: Sender
let sendHook: Sender
const KEY = Buffer.from('what both sides know')
beforeAll(async () => {
  mail = await startMailReceiver()
  hook = await startWebhookReceiver()
  const addresses = { from: 'leads@example.com', to: 'desk@example.com' }
  sendMail = mailSender({ host: '127.0.0.1', port: mail.port, secure: false, login: null, ...addresses })
  sendHook = webhookSender({ url: hook.url, keys: [KEY] })
})
afterAll(() => Promise.all([mail.stop(), hook.stop()]))

let events = 0

const eventOf = (lead: { first?: string; last?: string; email?: string; message?: string }): LeadEvent => {
  const { first = 'Given', last = 'Family', email = 'visitor@example.com', message = 'Hello' } = lead
  const id = `00000000-0000-4000-8000-${String(++events).padStart(12, '0')}`
  const row = { id: events, idempotency_key: id, first_name: first, last_name: last, email, message }
  return { id, kind: 'enquiry', lead: { ...row, created_at: '2026-11-21T08:30:00.000Z' } }
}

const subscription: LeadEvent = {
  id: '00000000-0000-4000-8000-000000000000',
  kind: 'subscription',
  lead: {
    id: 7,
    email_key: 'visitor@example.com',
    email: 'Visitor@example.com',
    created_at: '2026-11-21T08:30:00.000Z',
    request_id: null,
  },
}

const HEADERS = [
  ...['Auto-Submitted', 'Content-Transfer-Encoding', 'Content-Type', 'Date', 'From', 'MIME-Version', 'Message-ID'],
  ...['Reply-To', 'Subject', 'To'],
]

/** The headers of the one block that a letter has, unfolded, and the bytes of its body as text. */
function readLetter(raw: Buffer) {
  const text = raw.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  const headers = new Map(
    text
      .slice(0, end)
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const encoded = text.slice(end + 4)
  const encoding = headers.get('Content-Transfer-Encoding')
  const bytes =
    encoding === 'base64'
      ? Buffer.from(encoded, 'base64')
      : Buffer.from(
          encoding === 'quoted-printable'
            ? encoded
                .replace(/=\r\n/g, '')
                .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
            : encoded,
          'latin1',
        )
  return { headers, encoded, body: bytes.toString('utf8').replaceAll('\r\n', '\n') }
}

async function letterOf(event: LeadEvent) {
  const result = await sendMail(event)
  expect(result).toEqual({ delivered: true, code: '250' })
  const letter = mail.deliveries.find(({ id }) => id === event.id)
  return readLetter(letter?.content ?? Buffer.of())
}

/** Raw, these would be obeyed by a terminal or a mail program. */
const RAW = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u

describe('a letter', () => {
  test('has its headers, and the text of the visitor in its body alone', async () => {
    const event = eventOf({ first: 'Ñandú', message: 'One\n\tTwo' })
    const { headers, body } = await letterOf(event)
    expect(Object.fromEntries(headers)).toEqual({
      'Auto-Submitted': 'auto-generated',
      'Content-Transfer-Encoding': expect.any(String),
      'Content-Type': 'text/plain; charset=utf-8',
      Date: expect.any(String),
      From: 'leads@example.com',
      'MIME-Version': '1.0',
      'Message-ID': `<${event.id}@example.com>`,
      'Reply-To': 'visitor@example.com',
      Subject: `Enquiry ${events}`,
      To: 'desk@example.com',
    })
    expect(body).toBe(
      `Enquiry ${events}, 2026-11-21T08:30:00.000Z (UTC)\nÑandú Family <visitor@example.com>\n\nOne\n\tTwo\n`,
    )
  })

  test('has one header block and no header of a visitor, and no raw control character, whatever was sent', async () => {
    const fields = ['first', 'last', 'email', 'message'] as const
    const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 300 }), 10 * ROUNDS)
    const sent = [...HOSTILE, ...texts].flatMap((text) =>
      fields.map((field) => ({ field, event: eventOf({ [field]: text }) })),
    )
    const letters = await Promise.all(sent.map(({ event }) => letterOf(event)))
    for (const [i, { headers, encoded, body }] of letters.entries()) {
      const { field, event } = sent[i] ?? {}
      // What is no address is answered to nobody.
      expect([...headers.keys()].toSorted()).toEqual(HEADERS.filter((name) => field !== 'email' || name !== 'Reply-To'))
      expect(headers.get('To')).toBe('desk@example.com')
      expect(headers.get('Subject')).toBe(`Enquiry ${event?.kind === 'enquiry' && event.lead.id}`)
      expect(encoded.replaceAll('\r\n', '')).not.toMatch(/[^\t -~]/)
      expect(Math.max(...encoded.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998)
      expect(body).not.toMatch(RAW)
    }
    console.log(`hostile letters: ${letters.length}, 1 header block each, 0 headers injected, 0 raw control characters`)
  })

  test('tells of a subscription as what it is', async () => {
    const { headers, body } = await letterOf(subscription)
    expect([headers.get('Subject'), body]).toEqual([
      'Subscription 7',
      'Subscription 7, 2026-11-21T08:30:00.000Z (UTC)\nVisitor@example.com\n',
    ])
  })

  test('shows what it made harmless', async () => {
    const { body } = await letterOf(eventOf({ message: 'a\u001b[2J\u202Eb\r\nc\rd' }))
    expect(body).toContain('a<U+001B>[2J<U+202E>b\nc\nd\n')
  })

  test('tells codes, not texts, of a refusal', async () => {
    mail.behave(() => 'refuse')
    expect(await sendMail(eventOf({}))).toEqual({ delivered: false, code: 'EMESSAGE 550' })
    mail.behave(() => 'drop')
    expect(await sendMail(eventOf({}))).toEqual({ delivered: false, code: expect.stringMatching(/^E[A-Z]+$/) })
    mail.behave(() => 'take')
  })

  test('is not sent with a password over a connection that is not encrypted', async () => {
    const login = { user: 'user', pass: 'secret' }
    const settings = {
      host: '127.0.0.1',
      port: mail.port,
      secure: false,
      login,
      from: 'a@example.com',
      to: 'b@example.com',
    }
    expect(await mailSender(settings)(eventOf({}))).toEqual({ delivered: false, code: 'ETLS 500' })
  })
})

describe('a webhook', () => {
  const contract = parse(readFileSync('openapi.yaml', 'utf8'))
  const ajv = new Ajv({ strict: false, validateFormats: false })
  ajv.addSchema(contract, 'contract')
  const isEvent = ajv.compile({ $ref: 'contract#/components/schemas/LeadEvent' })

  const { schema: signatureSchema } = contract.webhooks.lead.post.parameters.find(
    ({ name }: { name: string }) => name === 'Webhook-Signature',
  )

  /** As Standard Webhooks has a receiver do it that knows one secret. */
  async function isSigned({ headers, content }: Receiver['deliveries'][number], secret = KEY) {
    const signatures = String(headers['webhook-signature'])
    expect(signatures).toMatch(new RegExp(signatureSchema.pattern))
    const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    const signed = Buffer.concat([Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`), content])
    const matches = signatures
      .split(' ')
      .map((each) => crypto.subtle.verify('HMAC', key, Buffer.from(each.replace('v1,', ''), 'base64'), signed))
    return (await Promise.all(matches)).includes(true)
  }

  test('is believed by who knows only the new or only the old secret while it is changed', async () => {
    const [fresh, old] = [Buffer.from('the secret from now on'), Buffer.from('the secret until now')]
    for (const [keys, believed] of [
      [[old], [false, true]],
      [
        [fresh, old],
        [true, true],
      ],
      [[fresh], [true, false]],
    ] as const) {
      await webhookSender({ url: hook.url, keys })(eventOf({}))
      const delivery = hook.deliveries.at(-1)
      if (!delivery) throw new Error('nothing came')
      expect([await isSigned(delivery, fresh), await isSigned(delivery, old)]).toEqual(believed)
      expect(await isSigned(delivery, Buffer.from('a secret of nobody'))).toBe(false)
    }
  })

  test('is what the contract says, with the same id and bytes at a repeat', async () => {
    const { examples } = contract.webhooks.lead.post.requestBody.content['application/json']
    for (const { value } of Object.values<{ value: unknown }>(examples)) expect(isEvent(value)).toBe(true)
    const event = eventOf({ message: HOSTILE.join('\n') })
    expect(await sendHook(event)).toEqual({ delivered: true, code: 'HTTP 204' })
    await sendHook(event)
    const [first, second] = hook.deliveries.slice(-2)
    expect(second?.content).toEqual(first?.content)
    expect(first?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': event.id })
    expect(Math.abs(Number(first?.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60)
  })

  test('repeats hostile content to the letter, in valid and signed JSON', async () => {
    for (const text of HOSTILE) {
      const event = eventOf({ message: text })
      await sendHook(event)
      const delivery = hook.deliveries.find(({ id }) => id === event.id)
      const body = JSON.parse(delivery?.content.toString() ?? '')
      expect(body.data.msg).toBe(text)
      expect(delivery && (await isSigned(delivery))).toBe(true)
    }
    await sendHook(subscription)
    await sendHook({ ...subscription, kind: 'test' })
    await sendHook(eventOf({}))
    const events = hook.deliveries.slice(-3).map(({ content }) => JSON.parse(content.toString()))
    expect(events.map((event) => [event.type, isEvent(event)])).toEqual([
      ['subscription.created', true],
      ['test', true],
      ['enquiry.created', true],
    ])
    expect(events[0].data).toEqual({ number: 7, email: 'Visitor@example.com' })
  })

  async function answered(listener: RequestListener) {
    const server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
    const result = await webhookSender({ url, keys: [KEY] })(eventOf({}))
    server.closeAllConnections()
    server.close()
    return result
  }

  test.each([200, 201, 202, 299])('delivers with %i', async (status) => {
    expect(await answered((_, answer) => answer.writeHead(status).end())).toEqual({
      delivered: true,
      code: `HTTP ${status}`,
    })
  })

  test.each([301, 302, 307, 308, 400, 401, 410, 429, 500, 503])(
    'fails with %i, and follows nowhere',
    async (status) => {
      const paths: (string | undefined)[] = []
      const result = await answered((request, answer) => {
        paths.push(request.url)
        answer.writeHead(status, { location: '/elsewhere' }).end()
      })
      expect([result, paths]).toEqual([{ delivered: false, code: `HTTP ${status}` }, ['/']])
    },
  )

  test('does not read an answer that has no end', async () => {
    let written = 0
    const result = await answered((_, answer) => {
      answer.writeHead(200)
      const write = () => {
        while (!answer.destroyed && written < 1e9 && answer.write(Buffer.alloc(65_536))) written += 65_536
      }
      answer.on('drain', write)
      write()
    })
    expect(result).toEqual({ delivered: true, code: 'HTTP 200' })
    expect(written).toBeLessThan(20_000_000)
  })
})
