import { createServer } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testMailSettings } from '../../server/leads/outbox.ts'
import { mailAdvice } from '../../server/mail/advice.ts'
import { testMail } from '../../server/mail/mails.ts'
import { createSend } from '../../server/mail/smtp.ts'
import { CLAIM_MS } from '../../server/timeouts.ts'
import { listenInTest } from '../support/local-server.ts'
import { mailSettings } from '../support/server/mail-settings.ts'

/** Sends a test mail with a login, or with none. */
const send = (port: number, login = '') => createSend(mailSettings(port, { login }))?.(testMail())

const LOGIN = 'user:secret@'

/** A mail server with an expired certificate of its own, which is accepted on the same machine. */
function startMailServer(options: SMTPServerOptions) {
  const server = new SMTPServer({ authOptional: true, ...options })
  server.on('error', () => {})
  return listenInTest(server.server)
}

const refusal = (responseCode: number, detail = '') =>
  Object.assign(new Error(`${detail} visitor@example.com`.trim()), { responseCode })

/** A handler that refuses every command. */
const refuse =
  (responseCode: number, detail?: string) => (_command: unknown, _session: unknown, answer: (error: Error) => void) =>
    answer(refusal(responseCode, detail))

test.each<[code: string, advice: RegExp, options: SMTPServerOptions]>([
  ['CONN 554', /takes no mail from this/, { onConnect: (_session, answer) => answer(refusal(554)) }],
  ['AUTH 454', /can't check the login now: mail is sent again/, { onAuth: refuse(454) }],
  ['AUTH 535', /rejects the user or password of NOTIFY_SMTP_URL/, { onAuth: refuse(535) }],
  ['AUTH 534 5.7.9', /make an app password there/, { onAuth: refuse(534, '5.7.9') }],
  ['AUTH 535 5.7.139', /Microsoft 365 has SMTP AUTH switched off/, { onAuth: refuse(535, '5.7.139') }],
  ['MAIL 421', /busy: mail is sent again by itself/, { onMailFrom: refuse(421) }],
  ['MAIL 451', /greylisting: it is sent again by itself/, { onMailFrom: refuse(451) }],
  ['MAIL 530', /requires a login/, { onMailFrom: refuse(530) }],
  ['MAIL 550', /refuses the sender: NOTIFY_FROM/, { onMailFrom: refuse(550) }],
  ['RCPT 452', /full there: mail is sent again by itself/, { onRcptTo: refuse(452) }],
  ['RCPT 550', /refuses a recipient: check NOTIFY_TO/, { onRcptTo: refuse(550) }],
  [
    'DATA 552',
    /too large/,
    { onData: (mail, _session, answer) => mail.resume().on('end', () => answer(refusal(552))) },
  ],
  [
    'DATA 554',
    /refuses the content/,
    { onData: (mail, _session, answer) => mail.resume().on('end', () => answer(refusal(554))) },
  ],
])('the answer %s of a mail server is reported by its code, with advice', async (code, advice, options) => {
  const port = await startMailServer({
    onAuth: (_login, _session, answer) => answer(null, { user: 'user' }),
    ...options,
  })
  expect(await send(port, LOGIN)).toEqual({ delivered: false, code })
  expect(mailAdvice(code)).toMatch(advice)
})

test("a mail server that can't start TLS gets no password", async () => {
  const onAuth = vi.fn()
  const port = await startMailServer({ onAuth, disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
  const code = 'STARTTLS 500'
  expect(await send(port, LOGIN)).toEqual({ delivered: false, code })
  expect(mailAdvice(code)).toMatch(/can't start TLS, and without TLS no mail is sent/)
  expect(onAuth).not.toHaveBeenCalled()
})

test('a mail that one recipient refuses is delivered, and the refusal is reported', async () => {
  const port = await startMailServer({
    onRcptTo: ({ address }, _session, answer) => answer(address.startsWith('second@') ? refusal(451) : null),
  })
  expect(await send(port)).toEqual({ delivered: true, code: '250', rejected: 'RCPT 451' })
  await expect(testMailSettings(mailSettings(port))).rejects.toThrow(
    /^failed \(RCPT 451 for some of NOTIFY_TO\)\. Mail is not sent again to those/,
  )
})

test('a delivery to a silent mail server ends before its claim ends', async () => {
  const limit = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
  onTestFinished(() => timeout.mockRestore())
  const hasAsked = Promise.withResolvers<unknown>()
  // It speaks first, and then gets the greeting, which nobody answers.
  const server = createServer((socket) => {
    socket.write('220 example.com\r\n')
    socket.once('data', hasAsked.resolve).on('error', () => {})
  })
  const result = send(await listenInTest(server))
  await hasAsked.promise
  limit.abort(new DOMException('', 'TimeoutError'))
  expect(await result).toEqual({ delivered: false, code: expect.stringMatching(/^TimeoutError/) })
  for (const [ms] of timeout.mock.calls) expect(ms).toBeLessThan(CLAIM_MS)
})
