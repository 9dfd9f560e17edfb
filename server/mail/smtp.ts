import { once } from 'node:events'
import net from 'node:net'
import { createTransport } from 'nodemailer'
import type { Options, SMTPTransportGetSocket } from 'nodemailer/lib/smtp-transport'
import { codeOf } from '../errors.ts'
import type { Settings } from '../settings.ts'
import { normalizeEmail } from '../storage/store.ts'
import { MAIL_TIMEOUTS } from '../timeouts.ts'
import { codeOfAnswer } from './advice.ts'
import type { Mail } from './write-mails.ts'

/**
 * Whether the mail server accepted a mail, and its answer: a code or a status, never personal data. If a delivered mail
 * did not reach all recipients, `rejected` has the code and the place in NOTIFY_TO of each recipient without the mail,
 * like 'RCPT 550 for no. 2'. The mail is not sent again, because the other recipients would get it twice.
 */
export type Delivery = { readonly delivered: boolean; readonly code: string; readonly rejected?: string }

/** Sends a mail to NOTIFY_TO. It never rejects, and ends in bounded time. */
export type Send = (mail: Mail) => Promise<Delivery>

/** Returns null if no mail is configured. Each mail has its own connection. */
export function createSend(settings: Settings, timeouts = MAIL_TIMEOUTS): Send | null {
  const { NOTIFY_SMTP_URL: server, NOTIFY_FROM: from, NOTIFY_TO: to, PUBLIC_ORIGIN: origin } = settings
  if (!server || !from || !to) return null
  const { host, port, secure, login } = server
  const domain = from.slice(from.indexOf('@') + 1)
  // The mail library writes the domain of a refused recipient in lower case.
  const recipients = to.map(normalizeEmail)

  /** Connects with the resolver of the system. The resolver of the mail library would ignore /etc/hosts. */
  const getSocket: SMTPTransportGetSocket = (_, done) => {
    const connection = net.connect({ host, port })
    once(connection, 'connect', { signal: AbortSignal.timeout(timeouts.connectMs) }).then(
      () => done(null, { connection }),
      (error) => {
        connection.destroy()
        done(error)
      },
    )
  }

  const options: Options = {
    host,
    // TLS begins with the connection. Otherwise STARTTLS follows, if the mail server offers it.
    secure,
    name: greetingName(origin, domain),
    // A password is never sent unencrypted.
    ...(login && { auth: login, requireTLS: true }),
    // The mail server of this machine often has a certificate that it signed itself, and nobody can listen on the way.
    tls: { rejectUnauthorized: !/^(localhost|127\.[\d.]+|::1)$/.test(host) },
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket,
  }
  const transport = createTransport(options)
  return async ({ id, subject, text, replyTo }) => {
    // A reply to one of our own addresses would come back as a new enquiry, or as another mail to the same helpdesk.
    const isOwn = replyTo !== undefined && [normalizeEmail(from), ...recipients].includes(normalizeEmail(replyTo))
    try {
      const { response, rejectedErrors } = await transport.sendMail({
        from,
        to: [...to],
        subject: origin === null ? subject : `${subject}, ${new URL(origin).host}`,
        text,
        ...(replyTo && !isOwn && { replyTo: { name: '', address: replyTo } }),
        messageId: `<${id}@${domain}>`,
        signal: AbortSignal.timeout(timeouts.attemptMs),
      })
      const rejected = rejectedErrors?.map(
        (error) => `${failureOf(error)} for no. ${recipients.indexOf(normalizeEmail(`${error.recipient}`)) + 1}`,
      )
      return { delivered: true, code: response.slice(0, 3), ...(rejected && { rejected: rejected.join(', ') }) }
    } catch (error) {
      return { delivered: false, code: failureOf(error) }
    }
  }
}

/** The name in the greeting to the mail server. It has a dot: mail servers may refuse a name such as a container's. */
function greetingName(origin: string | null, domain: string): string {
  const { hostname = '' } = URL.parse(origin ?? '') ?? {}
  return /\.[a-z][^.]*$/.test(hostname) ? hostname : domain
}

/** The code of the mail server's answer, like 'RCPT 550 5.1.1', or the code of an error, like 'ECONNREFUSED'. */
function failureOf(error: unknown): string {
  // The mail library replaces the code of a certificate error or a connection error by its own, such as ESOCKET.
  const { responseCode, command, response, code, originalCode, cause, timeoutType } = Object(error)
  if (responseCode && command) return codeOfAnswer(String(command).split(' ', 1).join(), `${response}`)
  if (timeoutType === 'GREETING_TIMEOUT') return 'ENOGREETING'
  // The mail server went silent after its greeting, or the whole attempt took too long.
  if (timeoutType === 'SOCKET_TIMEOUT' || code === 'EABORT') return 'ENOANSWER'
  return String(originalCode ?? codeOf(cause ?? error))
}
