import { createTransport, type SendMailOptions } from 'nodemailer'
import { isEmail } from '../../src/domain/email.ts'
import type { Notice } from '../storage/outbox-rows.ts'
import { visible } from '../visible.ts'
import { refusal } from './refusal.ts'
import type { Sender } from './sender.ts'
import type { MailWay } from './ways.ts'

/** Milliseconds for a whole letter: a server that looks for spam takes its time. */
const LIMIT = 60_000

/** Sends each notice as a letter in plain text. Nothing of a visitor gets into a header but an address that is one. */
export function mailSender({ host, port, secure, login, from, to }: MailWay): Sender {
  const transport = createTransport({
    host,
    port,
    secure,
    // A password never goes over the wire as it is.
    ...(login && { auth: login, requireTLS: true }),
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.slice(from.indexOf('@') + 1)
  return async (notice) => {
    try {
      const { response } = await transport.sendMail({
        ...letter(notice),
        from,
        to,
        messageId: `<${notice.id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(LIMIT),
      })
      return { taken: true, said: response.slice(0, 3) }
    } catch (error) {
      return refusal(error)
    }
  }
}

type Letter = Pick<SendMailOptions, 'subject' | 'text' | 'replyTo'>

/** The return type makes a kind without a case an error of the compiler. */
function letter({ kind, lead }: Notice): Letter {
  switch (kind) {
    case 'test':
      return { subject: 'Test', text: `This is a test, sent ${lead.created_at} (UTC). Letters like it arrive.\n` }
    case 'subscription': {
      const title = `Subscription ${lead.id}`
      return { subject: title, text: visible(`${title}, ${lead.created_at} (UTC)\n${lead.email}\n`) }
    }
    case 'enquiry': {
      const { id, first_name, last_name, email, message, created_at } = lead
      return {
        subject: `Enquiry ${id}`,
        text: visible(`Enquiry ${id}, ${created_at} (UTC)\n${first_name} ${last_name} <${email}>\n\n${message}\n`),
        ...(isEmail(email) && { replyTo: { name: '', address: email } }),
      }
    }
  }
}
