import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { rootCertificates } from 'node:tls'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { adviceFor } from '../../server/messages/advice.ts'
import { mailSender } from '../../server/messages/mail.ts'
import { createSenders, sendTest } from '../../server/messages/senders.ts'
import { CLOSED_PORT } from '../support/server/free-port.ts'

const MESSAGE = { id: crypto.randomUUID(), kind: 'test', lead: { created_at: '2026-11-21T08:30:00.000Z' } } as const

const SETTINGS = {
  ...{ host: '127.0.0.1', port: CLOSED_PORT, secure: false, ca: null, login: null, greetAs: 'www.example.com' },
  ...{ from: 'leads@example.com', to: ['desk@example.com', 'second@example.com'], site: null },
}

type Listening = { listen(port: number, host: string, done: () => void): unknown; close(): unknown }

async function portOf(server: Listening, address: () => unknown): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (address() as { port: number }).port
}

/** Answers of a mail server that differ from good ones, by the command; `CONN` is its greeting, '.' the end of the mail. */
type Answers = Readonly<Record<string, string>>

const GOOD: Answers = { CONN: '220', EHLO: '250', HELO: '250', MAIL: '250', RCPT: '250', DATA: '354', '.': '250' }

/** A mail server that gives these answers, in each text an address; it offers TLS if it has an answer about it. */
async function startMailServer(answers: Answers) {
  const lines: string[] = []
  const server = createServer((socket) => {
    const say = (command: string) =>
      socket.write(`${answers[command] ?? GOOD[command] ?? '500'} visitor@example.com\r\n`)
    let isMail = false
    say('CONN')
    socket.on('error', () => {})
    createInterface(socket).on('line', (line) => {
      lines.push(line)
      if (isMail && line !== '.') return
      const [command = ''] = line.split(/[ :]/)
      isMail = command === 'DATA' && !answers.DATA
      if (command === 'EHLO' && answers.STARTTLS) socket.write('250-example.com\r\n250 STARTTLS\r\n')
      else say(command)
    })
  })
  return { port: await portOf(server, () => server.address()), lines }
}

test.each<[answers: Answers, code: string, advice: RegExp]>([
  [{ CONN: '421' }, 'CONN 421', /busy: mail is sent again by itself/],
  [{ CONN: '450' }, 'CONN 450', /busy: mail is sent again by itself/],
  [{ CONN: '521' }, 'CONN 521', /takes no mail from this machine/],
  [{ CONN: '554' }, 'CONN 554', /takes no mail from this machine/],
  [{ EHLO: '421' }, 'EHLO 421', /busy: mail is sent again by itself/],
  [{ EHLO: '450', HELO: '450' }, 'HELO 450', /busy: mail is sent again by itself/],
  [{ EHLO: '501', HELO: '501' }, 'HELO 501', /refuses the name .+ PUBLIC_ORIGIN/],
  [{ EHLO: '550', HELO: '550' }, 'HELO 550', /refuses the name .+ PUBLIC_ORIGIN/],
  [{ STARTTLS: '454' }, 'STARTTLS 454', /start no TLS/],
  [{ STARTTLS: '502' }, 'STARTTLS 502', /start no TLS/],
  [{ MAIL: '421' }, 'MAIL 421', /busy: mail is sent again by itself/],
  [{ MAIL: '451' }, 'MAIL 451', /greylisting: it is sent again by itself/],
  [{ MAIL: '452' }, 'MAIL 452', /full there: mail is sent again by itself/],
  [{ MAIL: '530' }, 'MAIL 530', /wants a login/],
  [{ MAIL: '550' }, 'MAIL 550', /refuses the sender: NOTIFY_FROM/],
  [{ MAIL: '552' }, 'MAIL 552', /too large/],
  [{ MAIL: '553' }, 'MAIL 553', /refuses the sender: NOTIFY_FROM/],
  [{ RCPT: '450' }, 'RCPT 450', /greylisting: it is sent again by itself/],
  [{ RCPT: '451' }, 'RCPT 451', /greylisting: it is sent again by itself/],
  [{ RCPT: '452' }, 'RCPT 452', /full there: mail is sent again by itself/],
  [{ RCPT: '454' }, 'RCPT 454', /busy: mail is sent again by itself/],
  [{ RCPT: '530' }, 'RCPT 530', /wants a login/],
  [{ RCPT: '550' }, 'RCPT 550', /refuses a recipient: check NOTIFY_TO/],
  [{ RCPT: '552' }, 'RCPT 552', /mailbox there is full/],
  [{ RCPT: '554' }, 'RCPT 554', /must relay for this machine/],
  [{ DATA: '451' }, 'DATA 451', /sent again by itself/],
  [{ DATA: '554' }, 'DATA 554', /refuses the content/],
  [{ '.': '421' }, 'DATA 421', /busy: mail is sent again by itself/],
  [{ '.': '451' }, 'DATA 451', /sent again by itself/],
  [{ '.': '452' }, 'DATA 452', /full there: mail is sent again by itself/],
  [{ '.': '550' }, 'DATA 550', /refuses the content/],
  [{ '.': '552' }, 'DATA 552', /too large/],
  [{ '.': '554' }, 'DATA 554', /refuses the content/],
])('a mail server that answers %j is told of as %s, with its advice', async (answers, code, advice) => {
  const { port } = await startMailServer(answers)
  expect(await mailSender({ ...SETTINGS, port })(MESSAGE)).toEqual({ delivered: false, code })
  expect(adviceFor(code)).toMatch(advice)
})

/** A mail server that starts TLS, with a certificate that it signed itself, and that has expired. */
async function startTlsServer(options: SMTPServerOptions = {}) {
  const server = new SMTPServer({ authOptional: true, ...options })
  server.on('error', () => {})
  return portOf(server, () => server.server.address())
}

const refusal = (responseCode: number) => Object.assign(new Error('visitor@example.com'), { responseCode })

test.each([
  [454, /can't check the login now: mail is sent again by itself/],
  [535, /rejects the user or password of NOTIFY_SMTP_URL/],
])('a mail server that answers a login by %i is told of, with its advice', async (status, advice) => {
  const port = await startTlsServer({ onAuth: (_login, _session, answer) => answer(refusal(status)) })
  const login = { user: 'user', pass: 'secret' }
  const code = `AUTH ${status}`
  expect(await mailSender({ ...SETTINGS, port, login })(MESSAGE)).toEqual({ delivered: false, code })
  expect(adviceFor(code)).toMatch(advice)
})

test.each<[host: string]>([['127.0.0.1'], ['localhost']])('%s may have any certificate', async (host) => {
  let isEncrypted: boolean | undefined
  const port = await startTlsServer({
    onMailFrom(_address, { secure }, answer) {
      isEncrypted = secure
      answer()
    },
  })
  expect(await mailSender({ ...SETTINGS, host, port })(MESSAGE)).toEqual({ delivered: true, code: '250' })
  expect(isEncrypted).toBe(true)
})

test.each([false, true])('where a file names what is trusted, another certificate is not: smtps %s', async (secure) => {
  const port = await startTlsServer({ secure })
  const send = mailSender({ ...SETTINGS, port, secure, ca: rootCertificates[0] ?? '' })
  expect(await send(MESSAGE)).toEqual({ delivered: false, code: `CERT_HAS_EXPIRED 127.0.0.1:${port}` })
})

test('a mail server where nothing listens is told with its host and port', async () => {
  const code = `ECONNREFUSED localhost:${CLOSED_PORT}`
  expect(await mailSender({ ...SETTINGS, host: 'localhost' })(MESSAGE)).toEqual({ delivered: false, code })
})

test('the name that a mail server is greeted by is the one that is set', async () => {
  const { port, lines } = await startMailServer({})
  await mailSender({ ...SETTINGS, port })(MESSAGE)
  expect(lines[0]).toBe('EHLO www.example.com')
})

test.each([451, 550])(
  'a mail that one of two recipients gets is delivered, and tells %i for the other',
  async (status) => {
    const port = await startTlsServer({
      onRcptTo: ({ address }, _session, answer) => answer(address.startsWith('second@') ? refusal(status) : null),
    })
    const settings = { ...SETTINGS, port }
    expect(await mailSender(settings)(MESSAGE)).toEqual({ delivered: true, code: '250', rejected: `RCPT ${status}` })
    const senders = createSenders({ mail: settings, webhook: null, firstDelayMs: 1 })
    const code = `RCPT ${status} for some of NOTIFY_TO`
    expect(await sendTest(senders)).toEqual([{ channel: 'mail', delivered: false, code }])
    expect(adviceFor(code)).toMatch(/not sent again to those/)
  },
)
