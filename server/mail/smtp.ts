import net, { isIP } from 'node:net'
import tls from 'node:tls'
import { createTransport } from 'nodemailer'
import type { SMTPTransportGetSocket } from 'nodemailer/lib/smtp-transport'
import { codeOf } from '../errors.ts'
import type { Settings } from '../settings.ts'
import { MAIL_MS } from '../timeouts.ts'
import type { Mail } from './mails.ts'

/**
 * Whether the mail server accepted a mail, and its answer: a code or a status, never personal data. If a delivered mail
 * did not reach all recipients, `rejected` has the code for each of these, and its place in NOTIFY_TO, like 'RCPT 550 for
 * no. 2'. The mail is not sent again, because the others would get it twice.
 */
export type Delivery = { readonly delivered: boolean; readonly code: string; readonly rejected?: string }

/** Sends a mail to NOTIFY_TO. It never rejects, and ends in bounded time. */
export type Send = (mail: Mail) => Promise<Delivery>

/** How long a connection may take, with TLS, and then the greeting of the mail server. */
const CONNECT_MS = 10_000
const GREETING_MS = 7000

/** How long a connection waits for the next mail. */
const IDLE_MS = 500

/** All mails go over one connection, one after the other. Null if no mail is configured. */
export function createSend(settings: Settings): Send | null {
  const { NOTIFY_SMTP_URL: server, NOTIFY_FROM: from, NOTIFY_TO: to, PUBLIC_ORIGIN: origin } = settings
  if (!server || !from || !to) return null
  const { host, port, secure, login } = server
  const domain = from.slice(from.indexOf('@') + 1)
  // The mail server of this machine often has a certificate that it signed itself, and nobody can listen on the way.
  const tlsOptions = { rejectUnauthorized: !/^(localhost|127\.[\d.]+|::1)$/.test(host) }

  /** Connects as Node does, by the resolver of the system: that of the mail library would ignore /etc/hosts. */
  const getSocket: SMTPTransportGetSocket = (_, done) => {
    const tlsAddress = { ...tlsOptions, host, port, servername: isIP(host) ? '' : host }
    const socket = secure ? tls.connect(tlsAddress, connected) : net.connect({ host, port }, connected)
    socket.setTimeout(CONNECT_MS, () => socket.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })))
    socket.once('error', done)
    function connected() {
      socket.removeAllListeners('timeout').removeListener('error', done).setTimeout(0)
      done(null, { connection: socket, secured: secure })
    }
  }

  const transport = createTransport({
    pool: true,
    maxConnections: 1,
    // A mail server may close a connection between two mails.
    maxRequeues: 1,
    idleTimeout: IDLE_MS,
    host,
    name: greetingName(origin, domain),
    // A password is never sent unencrypted.
    ...(login && { auth: login, requireTLS: true }),
    tls: tlsOptions,
    greetingTimeout: GREETING_MS,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket,
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
      const rejected = rejectedErrors?.map(
        (error) => `${failureOf(error)} for no. ${to.indexOf(`${error.recipient}`) + 1}`,
      )
      return { delivered: true, code: response.slice(0, 3), ...(rejected && { rejected: rejected.join(', ') }) }
    } catch (error) {
      return { delivered: false, code: failureOf(error) }
    }
  }
}

/** The name by which the server greets the mail server, which may refuse one without a dot, as containers have it. */
function greetingName(origin: string | null, domain: string): string {
  const { hostname = '' } = URL.parse(origin ?? '') ?? {}
  return /\.[a-z][^.]*$/.test(hostname) ? hostname : domain
}

/** The SMTP command and its reply, like 'RCPT 550 5.1.1', or the code of an error, like 'ECONNREFUSED'. */
function failureOf(error: unknown): string {
  // The mail library replaces the code of the certificate or the connection by its own, such as ESOCKET.
  const { responseCode, command, response, originalCode, cause, timeoutType } = Object(error)
  if (timeoutType === 'GREETING_TIMEOUT') return 'ENOGREETING'
  if (!responseCode || !command) return String(originalCode ?? codeOf(cause ?? error))
  const [, detail = ''] = /^\d{3}[ -](\d\.\d+\.\d+) /.exec(`${response}`) ?? []
  return `${String(command).split(' ', 1)} ${responseCode} ${detail}`.trimEnd()
}
