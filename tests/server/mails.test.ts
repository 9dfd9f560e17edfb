import { execFile } from 'node:child_process'
import dns from 'node:dns'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { promisify } from 'node:util'
import fc from 'fast-check'
import type { SMTPServerOptions } from 'smtp-server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testMailSettings } from '../../server/leads/outbox.ts'
import { mailAdvice } from '../../server/mail/advice.ts'
import { createSend, type Delivery } from '../../server/mail/smtp.ts'
import { mailAbout, testMail } from '../../server/mail/write-mails.ts'
import { readSettings } from '../../server/settings.ts'
import type { StoredEnquiry } from '../../server/storage/database.ts'
import { MAIL_TIMEOUTS, type MailTimeouts } from '../../server/timeouts.ts'
import { type Enquiry, FIELD_NAMES, FIELDS } from '../../src/domain/enquiry-fields.ts'
import { anEnquiry, columnsOf } from '../support/enquiries.ts'
import { listenInTest } from '../support/local-server.ts'
import { enquiry } from '../support/server/databases.ts'
import { mailEnvironment, startMailServer } from '../support/server/mail-server.ts'
import { ROUNDS } from '../support/timeouts.ts'
import { until } from '../support/until.ts'

const KEY = crypto.randomUUID()

/** An address of this machine that our server does not know as loopback. So it checks the certificate of the mail server. */
const ELSEWHERE = '0.0.0.0'

/** An enquiry as a row of the database. */
const rowOf = (fields: Partial<Enquiry>) =>
  ({
    ...enquiry(columnsOf(anEnquiry(fields))),
    id: 7,
    idempotency_key: KEY,
    created_at: '2026-11-21T08:30:00.000Z',
  }) as StoredEnquiry

/** Sends a mail to the server at a port. `url` has no port. */
async function sendTo(port: number, url: string, timeouts = MAIL_TIMEOUTS): Promise<Delivery> {
  const settings = readSettings({ ...mailEnvironment(port), NOTIFY_SMTP_URL: `${url}:${port}` })
  return createSend(settings, timeouts)?.(testMail()) ?? expect.fail()
}

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
  // A mail program might decode this text to another address.
  '=?utf-8?q?x?=@example.com',
  ...fc.sample(fc.string({ unit: 'binary', maxLength: 300 }), 4 * ROUNDS),
])('a hostile text adds no header and no control character to a mail: %#', async (hostile) => {
  const fields = { first: hostile, last: hostile, email: hostile, message: hostile }
  expect(await headersOf(fields)).toEqual(fixedHeaders())
  expect(mailAbout(rowOf(fields)).text).not.toMatch(/(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
})

// Addresses that differ only in upper and lower case are the same address.
test.each(['Desk@example.com', 'second@EXAMPLE.COM', 'leads@example.com'])(
  'a mail about an enquiry from %s, an address of our own, has no Reply-To',
  async (email) => expect(await headersOf({ email })).toEqual(fixedHeaders()),
)

test.each([
  { PUBLIC_ORIGIN: 'https://www.example.com', name: 'www.example.com' },
  { PUBLIC_ORIGIN: 'https://localhost', name: 'example.com' },
  { PUBLIC_ORIGIN: 'http://127.0.0.1', name: 'example.com' },
  { PUBLIC_ORIGIN: '', name: 'example.com' },
])('with PUBLIC_ORIGIN "$PUBLIC_ORIGIN" the mail server is greeted as $name', async ({ PUBLIC_ORIGIN, name }) => {
  const names: string[] = []
  const { port } = await startMailServer({
    onMailFrom(_address, { hostNameAppearsAs }, answer) {
      names.push(hostNameAppearsAs)
      answer()
    },
  })
  const send = createSend(readSettings({ ...mailEnvironment(port), PUBLIC_ORIGIN }))
  for (let i = 0; i < 2; i++) expect(await send?.(testMail())).toMatchObject({ delivered: true })
  expect(names).toEqual([name, name])
})

test.each(['smtp', 'smtps'].flatMap((scheme) => ['no login', 'PLAIN', 'LOGIN'].map((method) => ({ scheme, method }))))(
  '$scheme:// delivers over TLS with $method',
  async ({ scheme, method }) => {
    const login = method === 'no login' ? '' : 'web%40example.com:%2F%40%3A%23%25@'
    const sessions: object[] = []
    const { port, mails } = await startMailServer({
      secure: scheme === 'smtps',
      authMethods: login ? [method] : [],
      onAuth: ({ username, password }, _session, answer) => answer(null, { user: `${username} ${password}` }),
      onMailFrom(_address, { secure, user }, answer) {
        sessions.push({ secure, user: user || null })
        answer()
      },
    })
    expect(await sendTo(port, `${scheme}://${login}127.0.0.1`)).toMatchObject({ delivered: true })
    expect(sessions).toEqual([{ secure: true, user: login ? 'web@example.com /@:#%' : null }])
    expect(mails).toHaveLength(1)
  },
)

test('mails reach a mail server with an IPv6 address', async () => {
  const { port } = await startMailServer({ disabledCommands: ['AUTH', 'STARTTLS'] })
  expect(await sendTo(port, 'smtp://[::ffff:127.0.0.1]')).toMatchObject({ delivered: true })
})

test.each(['smtp', 'smtps'])('%s:// trusts the authority of NODE_EXTRA_CA_CERTS', async (scheme) => {
  // A key and its certificate for ELSEWHERE, valid until the year 2126.
  const file = 'tests/support/server/own-authority.pem'
  const pem = readFileSync(file)
  const { port } = await startMailServer({
    secure: scheme === 'smtps',
    key: pem,
    cert: pem,
    onAuth: (_login, _session, answer) => answer(null, { user: 'web' }),
  })
  const env = { ...mailEnvironment(port), NOTIFY_SMTP_URL: `${scheme}://web:secret@${ELSEWHERE}:${port}` }
  const run = promisify(execFile)(process.execPath, ['server/leads/main.ts', 'notify-test'], {
    env: { ...process.env, ...env, NODE_EXTRA_CA_CERTS: file },
  })
  expect((await run).stdout).toMatch(/^delivered \(250\)/)
})

test("the system looks up the mail server's host, so that /etc/hosts applies", async () => {
  const resolvers = [vi.spyOn(dns, 'resolve4'), vi.spyOn(dns, 'resolve6')]
  const { port } = await startMailServer()
  expect(await sendTo(port, 'smtp://localhost')).toMatchObject({ delivered: true })
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
  {
    that: 'is on another host needs a valid certificate',
    host: ELSEWHERE,
    delivery: { delivered: false, code: 'CERT_HAS_EXPIRED' },
  },
])('a mail server that $that', async ({ options, login = '', host = '127.0.0.1', delivery }) => {
  const { port } = await startMailServer(options)
  expect(await sendTo(port, `smtp://${login}${host}`)).toEqual(delivery)
})

test('the advice names a scheme that does not fit the port', async () => {
  expect(mailAdvice(await codeAfterSilence('greetingMs'))).toContain('write smtps:// instead of smtp://')
  const { port } = await startMailServer()
  expect(mailAdvice((await sendTo(port, 'smtps://127.0.0.1')).code)).toContain('write smtp:// instead of smtps://')
})

test('the advice about a failed STARTTLS fits smtp://', async () => {
  const answer250 = createServer((socket) => {
    socket.on('error', () => {}).on('data', () => socket.write('250 STARTTLS\r\n'))
    socket.write('220 ready\r\n')
  })
  const port = await listenInTest(answer250)
  const advice = mailAdvice((await sendTo(port, 'smtp://127.0.0.1')).code)
  expect(advice).toContain('If it has smtp://, STARTTLS of the mail server is broken')
})

/** Sends a mail to a mail server that is silent, with a short wait for one step. Returns the code. */
async function codeAfterSilence(step: keyof MailTimeouts) {
  const port = await listenInTest(createServer((socket) => void socket.on('error', () => {})))
  return (await sendTo(port, 'smtp://127.0.0.1', { ...MAIL_TIMEOUTS, [step]: 1 })).code
}

test.each(['answerMs', 'attemptMs'] as const)('an attempt ends after %s of silence', async (step) =>
  expect(await codeAfterSilence(step)).toBe('ENOANSWER'),
)

test('a mail server has half a minute for its greeting', async () => {
  const connected = Promise.withResolvers<Socket>()
  const port = await listenInTest(createServer(connected.resolve))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const delivery = sendTo(port, 'smtp://127.0.0.1')
  const socket = await connected.promise
  await until(() => vi.getTimerCount() > 0)
  vi.advanceTimersByTime(29_000)
  socket.write('220 mail.example.com\r\n')
  expect(`${await once(socket, 'data')}`).toMatch(/^EHLO /)
  socket.destroy()
  await delivery
})

test('a mail that one recipient refuses is delivered, and the refusal is reported', async () => {
  const onRcptTo: SMTPServerOptions['onRcptTo'] = ({ address }, _session, answer) =>
    answer(address.startsWith('second@') ? refusal(451, '') : null)
  const { port } = await startMailServer({ onRcptTo })
  // The mail library changes the case of the domain.
  const settings = readSettings({ ...mailEnvironment(port), NOTIFY_TO: 'desk@example.com, second@Example.com' })
  const delivery = { delivered: true, code: '250', rejected: 'RCPT 451 for no. 2' }
  expect(await createSend(settings)?.(testMail())).toEqual(delivery)
  const failure = /^failed \(RCPT 451 for no\. 2\)\. The other recipients have the mail/
  await expect(testMailSettings(settings)).rejects.toThrow(failure)
})
