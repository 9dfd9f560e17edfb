import { createTransport } from 'nodemailer'
import { codeOf } from '../errors.ts'
import type { Settings } from '../settings.ts'
import { MAIL_MS } from '../timeouts.ts'
import type { Mail } from './mails.ts'

/**
 * Whether the mail server accepted a mail, and its answer: a code or a status, never personal data. If a delivered mail
 * did not reach a recipient, `rejected` is the code for that recipient. The mail is not sent again, because the others
 * would get it twice.
 */
export type Delivery = { readonly delivered: boolean; readonly code: string; readonly rejected?: string }

/** Sends a mail to NOTIFY_TO. It never rejects, and ends in bounded time. */
export type Send = (mail: Mail) => Promise<Delivery>

/** Null if no mail is configured. */
export function createSend(settings: Settings): Send | null {
  const { NOTIFY_SMTP_URL: server, NOTIFY_FROM: from, NOTIFY_TO: to, PUBLIC_ORIGIN: origin } = settings
  if (!server || !from || !to) return null
  const { host, port, secure, login } = server
  const domain = from.slice(from.indexOf('@') + 1)
  const transport = createTransport({
    host,
    port,
    secure,
    // Mail servers refuse the name of a machine that has no dot.
    name: domain,
    // A password is never sent unencrypted.
    ...(login && { auth: login, requireTLS: true }),
    // The mail server of this machine often has a certificate that it signed itself, and nobody can listen on the way.
    tls: { rejectUnauthorized: !/^(localhost|127\.[\d.]+|::1)$/.test(host) },
    connectionTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ id, subject, text, replyTo }) => {
    try {
      const { response, rejectedErrors } = await transport.sendMail({
        from,
        to: [...to],
        subject: origin === null ? subject : `${subject}, ${new URL(origin).host}`,
        text,
        ...(replyTo && { replyTo: { name: '', address: replyTo } }),
        messageId: `<${id}@${domain}>`,
        signal: AbortSignal.timeout(MAIL_MS),
      })
      const delivery = { delivered: true, code: response.slice(0, 3) }
      return rejectedErrors?.[0] ? { ...delivery, rejected: failureOf(rejectedErrors[0]) } : delivery
    } catch (error) {
      return { delivered: false, code: failureOf(error) }
    }
  }
}

/** The SMTP command and its reply, like 'RCPT 550 5.1.1', or the code of an error, like 'ECONNREFUSED'. */
function failureOf(error: unknown): string {
  // The mail library replaces the code of the certificate or the connection by its own, such as ESOCKET.
  const { responseCode, command, response, originalCode, cause } = Object(error)
  if (!responseCode || !command) return String(originalCode ?? codeOf(cause ?? error))
  const [, detail = ''] = /^\d{3}[ -](\d\.\d+\.\d+) /.exec(`${response}`) ?? []
  return `${String(command).split(' ', 1)} ${responseCode} ${detail}`.trimEnd()
}
