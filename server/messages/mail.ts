import { once } from 'node:events'
import { connect, isIPv6 } from 'node:net'
import { createTransport, type SendMailOptions, type SMTPTransportOptions } from 'nodemailer'
import { isEmail } from '../../src/domain/email.ts'
import { escapeControls } from '../escape-controls.ts'
import { isThisMachine, type Settings } from '../settings.ts'
import type { NoColumns } from '../storage/database.ts'
import type { Message } from '../storage/outbox-rows.ts'
import { MAIL_MS } from '../timeouts.ts'
import { codeOf, type Sender } from './delivery.ts'

export type MailSettings = {
  readonly server: NonNullable<Settings['NOTIFY_SMTP_URL']>
  readonly from: string
  readonly to: readonly string[]
  /** The origin of the page: subjects end with its host. */
  readonly origin: string | null
}

/** Sends each message as mail in plain text. The only visitor data in a header is a valid email address. */
export function mailSender({ server: { host, port, secure, login }, from, to, origin }: MailSettings): Sender {
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
  const address = `${isIPv6(host) ? `[${host}]` : host}:${port}`
  return async (message) => {
    try {
      const mail = mailFor(message)
      const { response, rejectedErrors } = await transport.sendMail({
        ...mail,
        subject: page ? `${mail.subject}, ${page.host}` : mail.subject,
        from,
        to: [...to],
        messageId: `<${message.id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(MAIL_MS),
      })
      const delivery = { delivered: true, code: response.slice(0, 3) }
      return rejectedErrors?.[0] ? { ...delivery, rejected: failureOf(rejectedErrors[0], address) } : delivery
    } catch (error) {
      return { delivered: false, code: failureOf(error, address) }
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
  return { connection, tls: { rejectUnauthorized: !isThisMachine(connection.remoteAddress ?? '') } }
}

/** The SMTP command and its reply, like 'RCPT 550', or error and address, like 'ECONNREFUSED mail.example.com:25'. */
function failureOf(error: unknown, address: string): string {
  if (error instanceof Error && 'responseCode' in error && 'command' in error) {
    return `${String(error.command).split(' ', 1)} ${error.responseCode}`
  }
  return `${codeOf(error)} ${address}`
}

type Mail = Pick<SendMailOptions, 'subject' | 'text' | 'replyTo'>

/** Because of the return type, a kind without a case does not compile. */
function mailFor({ kind, lead }: Message): Mail {
  switch (kind) {
    case 'test':
      return { subject: 'Test', text: `This is a test, sent ${lead.created_at} (UTC). Enquiries arrive in this way.\n` }
    case 'subscription': {
      const title = `Subscription ${lead.id}`
      return { subject: title, text: escapeControls(`${title}, ${lead.created_at} (UTC)\n${lead.email}\n`) }
    }
    case 'enquiry': {
      const { id, first_name, last_name, email, message, created_at, idempotency_key: _, ...forgotten } = lead
      forgotten satisfies NoColumns
      return {
        subject: `Enquiry ${id}`,
        text: escapeControls(
          `Enquiry ${id}, ${created_at} (UTC)\n${first_name} ${last_name} <${email}>\n\n${message}\n`,
        ),
        // A mail program may decode a text that looks like an encoded word (RFC 2047), and answer another address.
        ...(isEmail(email) && !email.includes('=?') && { replyTo: { name: '', address: email } }),
      }
    }
  }
}
