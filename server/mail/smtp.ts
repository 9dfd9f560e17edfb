import { once } from 'node:events'
import { connect } from 'node:net'
import { createTransport, type SMTPTransportOptions } from 'nodemailer'
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
  const page = origin === null ? null : new URL(origin)
  const domain = from.slice(from.indexOf('@') + 1)
  const options: SMTPTransportOptions = {
    host,
    port,
    secure,
    // Mail servers refuse names without a dot, and some refuse addresses of IP.
    name: page && /\.[a-z][^.]*$/.test(page.hostname) ? page.hostname : domain,
    // A password is never sent unencrypted.
    ...(login && { auth: login, requireTLS: true }),
    getSocket(_options, callback) {
      connectTo(host, port).then((connected) => callback(null, connected), callback)
    },
    connectionTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const transport = createTransport(options)
  return async ({ id, subject, text, replyTo, automatic }) => {
    try {
      const { response, rejectedErrors } = await transport.sendMail({
        from,
        to: [...to],
        subject: page ? `${subject}, ${page.host}` : subject,
        text,
        ...(replyTo && { replyTo: { name: '', address: replyTo } }),
        messageId: `<${id}@${domain}>`,
        ...(automatic && { headers: { 'Auto-Submitted': 'auto-generated' } }),
        signal: AbortSignal.timeout(MAIL_MS),
      })
      const delivery = { delivered: true, code: response.slice(0, 3) }
      return rejectedErrors?.[0] ? { ...delivery, rejected: failureOf(rejectedErrors[0]) } : delivery
    } catch (error) {
      return { delivered: false, code: failureOf(error) }
    }
  }
}

/**
 * Connects as the system's own programs do: /etc/hosts counts, and each address of the host is tried. Nobody can listen
 * on the way to this machine itself, and its mail server often has a certificate that it signed itself: so any
 * certificate is accepted there.
 */
async function connectTo(host: string, port: number) {
  const connection = connect({ host, port, autoSelectFamilyAttemptTimeout: 3000 })
  try {
    await once(connection, 'connect', { signal: AbortSignal.timeout(10_000) })
  } catch (error) {
    connection.destroy()
    throw error
  }
  const isThisMachine = /^(::ffff:)?127\.|^::1$/.test(connection.remoteAddress ?? '')
  return { connection, tls: { rejectUnauthorized: !isThisMachine } }
}

/** The SMTP command and its reply, like 'RCPT 550 5.1.1', or the code of an error, like 'ECONNREFUSED'. */
function failureOf(error: unknown): string {
  if (!(error instanceof Error && 'responseCode' in error && 'command' in error)) return codeOf(error)
  const [, detail = ''] = ('response' in error && /^\d{3}[ -](\d\.\d+\.\d+) /.exec(`${error.response}`)) || []
  return `${String(error.command).split(' ', 1)} ${error.responseCode} ${detail}`.trimEnd()
}

/** The code of an error of Node or of the mail library. An error's message is not used: it may repeat sent data. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.cause instanceof Error) return codeOf(error.cause)
  // The mail library replaces the code of the certificate or the connection by its own, such as ESOCKET.
  if ('originalCode' in error) return String(error.originalCode)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
