import dns from 'node:dns'
import { createServer } from 'node:net'
import fc from 'fast-check'
import type { SMTPServerOptions } from 'smtp-server'
import { expect, test, vi } from 'vitest'
import { testMailSettings } from '../../server/leads/outbox.ts'
import { mailAdvice } from '../../server/mail/advice.ts'
import { mailAbout, testMail } from '../../server/mail/mails.ts'
import { createSend } from '../../server/mail/smtp.ts'
import { readSettings } from '../../server/settings.ts'
import type { StoredEnquiry } from '../../server/storage/database.ts'
import { type Enquiry, FIELD_NAMES, FIELDS } from '../../src/domain/enquiry-fields.ts'
import { anEnquiry, columnsOf } from '../support/enquiries.ts'
import { listenInTest } from '../support/local-server.ts'
import { enquiry } from '../support/server/databases.ts'
import { mailEnvironment, startMailServer } from '../support/server/mail-server.ts'
import { ROUNDS } from '../support/timeouts.ts'

const KEY = crypto.randomUUID()

/** An enquiry as a row of the database. */
const rowOf = (fields: Partial<Enquiry>) =>
  ({
    ...enquiry(columnsOf(anEnquiry(fields))),
    id: 7,
    idempotency_key: KEY,
    created_at: '2026-11-21T08:30:00.000Z',
  }) as StoredEnquiry

/** The header lines of the mail about an enquiry, unfolded. */
async function headersOf(fields: Partial<Enquiry>) {
  const { mails, port } = await startMailServer({ disabledCommands: ['AUTH', 'STARTTLS'] })
  const send = createSend(readSettings({ ...mailEnvironment(port), PUBLIC_ORIGIN: 'https://www.example.com' }))
  expect(await send?.(mailAbout(rowOf(fields)))).toEqual({ delivered: true, code: '250' })
  const [head = ''] = `${mails}`.split('\r\n\r\n')
  return head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
}

const fixedHeaders = (...replyTo: readonly string[]) => [
  'From: leads@example.com',
  'To: desk@example.com, second@example.com',
  ...replyTo,
  'Subject: Enquiry 7, www.example.com',
  `Message-ID: <${KEY}@example.com>`,
  expect.stringMatching(/^Content-Transfer-Encoding: /),
  expect.stringMatching(/^Date: /),
  'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=utf-8',
]

test('a mail has fixed headers, and the text of the visitor only in its body', async () => {
  expect(await headersOf({ first: 'Ñandú' })).toEqual(fixedHeaders('Reply-To: visitor@example.com'))
  const { text } = mailAbout(rowOf({ first: 'Ñandú', message: 'a\u001b[2J\u202Eb\r\n\tc\rEmail: d' }))
  const labels = FIELD_NAMES.map((name) => FIELDS[name].label)
  const lines = text.split('\n')
  // No line of the message looks like a field.
  expect(lines.filter((line) => labels.some((label) => line.startsWith(`${label}: `)))).toHaveLength(labels.length)
  expect(lines).toEqual(
    expect.arrayContaining([
      'Enquiry 7, 2026-11-21T08:30:00.000Z (UTC)',
      'First Name: Ñandú',
      'Message: a<U+001B>[2J<U+202E>b',
      '  \tc',
      '  Email: d',
    ]),
  )
})

test.each([
  'x\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>',
  '\u001b[2J\u001b]0;title\u0007\u009b31m \u202Egnp.exe\u202C \u2066a\u2069 \u200F a\u2028b\u2029c\u0085d\u007f',
  // A mail program might read it as another address.
  '=?utf-8?q?x?=@example.com',
  ...fc.sample(fc.string({ unit: 'binary', maxLength: 300 }), 4 * ROUNDS),
])('a hostile text adds no header and no control character to a mail: %#', async (hostile) => {
  const fields = { first: hostile, last: hostile, email: hostile, message: hostile }
  expect(await headersOf(fields)).toEqual(fixedHeaders())
  expect(mailAbout(rowOf(fields)).text).not.toMatch(/(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
})

test.each([
  { PUBLIC_ORIGIN: 'https://www.example.com', name: 'www.example.com' },
  { PUBLIC_ORIGIN: 'https://localhost', name: 'example.com' },
  { PUBLIC_ORIGIN: 'http://127.0.0.1', name: 'example.com' },
  { PUBLIC_ORIGIN: '', name: 'example.com' },
])('mails go over one connection, and greet from "$PUBLIC_ORIGIN" as $name', async ({ PUBLIC_ORIGIN, name }) => {
  const sessions = new Map<string, string>()
  const { port } = await startMailServer({
    onMailFrom(_address, { id, hostNameAppearsAs }, answer) {
      sessions.set(id, hostNameAppearsAs)
      answer()
    },
  })
  const send = createSend(readSettings({ ...mailEnvironment(port), PUBLIC_ORIGIN }))
  for (let i = 0; i < 3; i++) expect(await send?.(testMail())).toMatchObject({ delivered: true })
  expect([...sessions.values()]).toEqual([name])
})

test("the host is looked up as the system does, not by the mail library's own resolver", async () => {
  const resolvers = [vi.spyOn(dns, 'resolve4'), vi.spyOn(dns, 'resolve6')]
  const { port } = await startMailServer()
  const named = readSettings({ ...mailEnvironment(port), NOTIFY_SMTP_URL: `smtp://localhost:${port}` })
  expect(await createSend(named)?.(testMail())).toMatchObject({ delivered: true })
  for (const resolver of resolvers) expect(resolver).not.toHaveBeenCalled()
})

const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

test.each<{ that: string; options?: SMTPServerOptions; login?: string; host?: string; delivery: object }>([
  {
    that: 'refuses a login is reported by its code alone',
    options: { onAuth: (_login, _session, answer) => answer(refusal(535, '5.7.139 visitor@example.com')) },
    login: 'user:secret@',
    delivery: { delivered: false, code: 'AUTH 535 5.7.139' },
  },
  {
    that: "can't start TLS gets no password",
    options: { disabledCommands: ['STARTTLS'], allowInsecureAuth: true },
    login: 'user:secret@',
    delivery: { delivered: false, code: 'STARTTLS 500' },
  },
  { that: 'is on loopback needs no valid certificate', delivery: { delivered: true, code: '250' } },
  // This address leads to this machine too.
  { that: 'is elsewhere needs one', host: '0.0.0.0', delivery: { delivered: false, code: 'CERT_HAS_EXPIRED' } },
])('a mail server that $that', async ({ options, login = '', host = '127.0.0.1', delivery }) => {
  const { port } = await startMailServer(options)
  const settings = readSettings({ ...mailEnvironment(port), NOTIFY_SMTP_URL: `smtp://${login}${host}:${port}` })
  expect(await createSend(settings)?.(testMail())).toEqual(delivery)
})

test('a scheme that does not fit the port is named', async () => {
  const silent = createServer((socket) => void socket.on('error', () => {}))
  const plain = await startMailServer()
  const codeOf = async (url: string) =>
    (await createSend(readSettings({ ...mailEnvironment(0), NOTIFY_SMTP_URL: url }))?.(testMail()))?.code
  const urls = [`smtp://127.0.0.1:${await listenInTest(silent)}`, `smtps://127.0.0.1:${plain.port}`]
  const [noGreeting = '', noTls = ''] = await Promise.all(urls.map(codeOf))
  expect(mailAdvice(noGreeting)).toContain('write smtps:// for smtp://')
  expect(mailAdvice(noTls)).toContain('write smtp:// for smtps://')
})

test('a mail that one recipient refuses is delivered, and the refusal is reported', async () => {
  const onRcptTo: SMTPServerOptions['onRcptTo'] = ({ address }, _session, answer) =>
    answer(address.startsWith('second@') ? refusal(451, '') : null)
  const settings = readSettings(mailEnvironment((await startMailServer({ onRcptTo })).port))
  const delivery = { delivered: true, code: '250', rejected: 'RCPT 451 for no. 2' }
  expect(await createSend(settings)?.(testMail())).toEqual(delivery)
  const failure = /^failed \(RCPT 451 for no\. 2\)\. The others have the mail/
  await expect(testMailSettings(settings)).rejects.toThrow(failure)
})
