import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { mailAbout } from '../../server/mail/mails.ts'
import { createSend } from '../../server/mail/smtp.ts'
import type { TypedEnquiry } from '../../src/domain/enquiry.ts'
import { rowOf } from '../support/enquiries.ts'
import { listenInTest } from '../support/local-server.ts'
import { mailSettings } from '../support/server/mail-settings.ts'
import { ROUNDS } from '../support/timeouts.ts'

const KEY = crypto.randomUUID()

/** Sends the mail about an enquiry. Returns the sorted header lines of the mail, unfolded, and its decoded body. */
async function mailOf(fields: Partial<TypedEnquiry>) {
  const mail = Promise.withResolvers<string>()
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, _session, answer) => mail.resolve(text(stream).finally(answer)),
  })
  const port = await listenInTest(server.server)
  const send = createSend(mailSettings(port, { PUBLIC_ORIGIN: 'https://www.example.com' }))
  const row = { ...rowOf(fields), idempotency_key: KEY }
  expect(await send?.(mailAbout(row))).toEqual({ delivered: true, code: '250' })
  const [head = '', ...bodyParts] = (await mail.promise).split('\r\n\r\n')
  const headers = head
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .toSorted()
  const body = bodyParts.join('\r\n\r\n').replaceAll('\r\n', '\n')
  if (headers.includes('Content-Transfer-Encoding: base64'))
    return { headers, body: Buffer.from(body, 'base64').toString() }
  if (headers.includes('Content-Transfer-Encoding: 7bit')) return { headers, body }
  const escaped = body.replace(/=\n/g, '').replace(/%/g, '=25').replaceAll('=', '%')
  return { headers, body: decodeURIComponent(escaped) }
}

const headersOf = (...replyTo: readonly string[]) => [
  expect.stringMatching(/^Content-Transfer-Encoding: /),
  'Content-Type: text/plain; charset=utf-8',
  expect.stringMatching(/^Date: /),
  'From: leads@example.com',
  'MIME-Version: 1.0',
  `Message-ID: <${KEY}@example.com>`,
  ...replyTo,
  'Subject: Enquiry 7, www.example.com',
  'To: desk@example.com, second@example.com',
]

test('a mail has fixed headers, and the text of the visitor only in its body', async () => {
  const { headers, body } = await mailOf({ first: 'Ñandú', message: 'a\u001b[2J\u202Eb\r\n\tc\rd' })
  expect(headers).toEqual(headersOf('Reply-To: visitor@example.com'))
  const visitor = 'Ñandú Family <visitor@example.com>\n\na<U+001B>[2J<U+202E>b\n\tc\nd'
  expect(body).toBe(`Enquiry 7, 2026-11-21T08:30:00.000Z (UTC)\n${visitor}\n`)
})

const HOSTILE: readonly string[] = [
  'x\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>',
  '\u001b[2J\u001b]0;title\u0007\u009b31m \u202Egnp.exe\u202C \u2066a\u2069 \u200F',
  '.\r\n.\r\nQUIT\r\n',
  'a\u2028b\u2029c\u0085d\u007f',
  'x'.repeat(5000),
  // A mail program might read it as another address.
  '=?utf-8?q?x?=@example.com',
  '名🙂\u0000 %0d%0aBcc:%20victim@example.com',
  ...fc.sample(fc.string({ unit: 'binary', maxLength: 300 }), 5 * ROUNDS),
]

/** Control characters that a terminal or a mail program would act on. */
const CONTROLS = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u

test.each(HOSTILE)('a hostile text adds no header and no control character to a mail: %#', async (hostile) => {
  const { headers, body } = await mailOf({ first: hostile, last: hostile, email: hostile, message: hostile })
  expect(headers).toEqual(headersOf())
  expect(body).not.toMatch(CONTROLS)
})
