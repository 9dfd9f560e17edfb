import { randomUUID } from 'node:crypto'
import { isEmail } from '../../src/domain/email.ts'
import { escapeControls } from '../escape-controls.ts'
import type { NoColumns, StoredEnquiry } from '../storage/database.ts'

/** A mail to staff, in plain text. */
export type Mail = {
  /** The same at every attempt, so that a mail program can tell a repeat. */
  readonly id: string
  readonly subject: string
  readonly text: string
  /** Who gets the answer, instead of the sender. */
  readonly replyTo?: string
  /** Whether no person has caused it. Ticket systems drop such mails in silence. */
  readonly automatic: boolean
}

/** The only visitor data in a header is a valid email address. */
export function mailAbout({ id, idempotency_key, created_at, ...enquiry }: StoredEnquiry): Mail {
  const { first_name, last_name, email, message, ...state } = enquiry
  const { mail_due_at, mail_attempts, mail_error, mail_sent_at, ...forgotten } = state
  forgotten satisfies NoColumns
  const text = `Enquiry ${id}, ${created_at} (UTC)\n${first_name} ${last_name} <${email}>\n\n${message}\n`
  return {
    id: idempotency_key,
    subject: `Enquiry ${id}`,
    text: escapeControls(text),
    // A mail program may decode a text that looks like an encoded word (RFC 2047), and answer another address.
    ...(isEmail(email) && !email.includes('=?') && { replyTo: email }),
    automatic: false,
  }
}

const automaticMail = (subject: string, text: string): Mail => ({ id: randomUUID(), subject, text, automatic: true })

export const testMail = () =>
  automaticMail('Test', `This is a test, sent ${new Date().toISOString()} (UTC). Enquiries arrive in this way.\n`)

export const failureMail = (reason: string) =>
  automaticMail(
    'Backup or deletion failed',
    `The daily backup, or the deletion of what is too old, failed:\n\n${reason}\n\nThe server tries again every hour. It mails another failure only after a success or a restart; its log has all.\n`,
  )
