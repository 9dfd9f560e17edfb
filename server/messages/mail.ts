import { createTransport, type SendMailOptions } from 'nodemailer'
import { isEmail } from '../../src/domain/email.ts'
import { escapeControls } from '../escape-controls.ts'
import type { NoColumns } from '../storage/database.ts'
import type { Message } from '../storage/outbox-rows.ts'
import { failedDelivery, type Sender } from './delivery.ts'
import type { MailSettings } from './settings.ts'

/** How long a whole delivery may take: a mail server that checks for spam is slow. */
const TIMEOUT_MS = 60_000

/** Sends each message as mail in plain text. The only visitor data in a header is a valid email address. */
export function mailSender({ host, port, secure, login, from, to, site }: MailSettings): Sender {
  const transport = createTransport({
    host,
    port,
    secure,
    // A password is never sent unencrypted.
    ...(login && { auth: login, requireTLS: true }),
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.slice(from.indexOf('@') + 1)
  return async (message) => {
    try {
      const mail = mailFor(message)
      const { response, rejectedErrors } = await transport.sendMail({
        ...mail,
        subject: site ? `${mail.subject}, ${site}` : mail.subject,
        from,
        to: [...to],
        messageId: `<${message.id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      // A retry would send it twice to the recipients that were accepted: only a test tells of one that was rejected.
      if (message.kind === 'test' && rejectedErrors?.[0]) return failedDelivery(rejectedErrors[0])
      return { delivered: true, code: response.slice(0, 3) }
    } catch (error) {
      return failedDelivery(error)
    }
  }
}

type Mail = Pick<SendMailOptions, 'subject' | 'text' | 'replyTo'>

/** The return type makes a kind without a case a compile error. */
function mailFor({ kind, lead }: Message): Mail {
  switch (kind) {
    case 'test':
      return { subject: 'Test', text: `This is a test, sent ${lead.created_at} (UTC). Mail like it arrives.\n` }
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
        // A mail program may decode what looks like an encoded word (RFC 2047), and answer another address.
        ...(isEmail(email) && !email.includes('=?') && { replyTo: { name: '', address: email } }),
      }
    }
  }
}
