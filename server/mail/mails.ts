import { randomUUID } from 'node:crypto'
import { isEmail } from '../../src/domain/email.ts'
import { escapeControls } from '../escape-controls.ts'
import type { NothingLeft, StoredEnquiry } from '../storage/database.ts'

/** A mail to staff, in plain text. */
export type Mail = {
  /** The same at every attempt, so that a mail program can tell a repeat. */
  readonly id: string
  readonly subject: string
  readonly text: string
  /** Who gets the answer, instead of the sender. */
  readonly replyTo?: string
}

/** Of what the visitor typed, only a valid email address gets into a header. */
export function mailAbout({ id, idempotency_key, created_at, ...enquiry }: StoredEnquiry): Mail {
  const { first_name, last_name, email, message, ...state } = enquiry
  const { mail_due_at, mail_attempts, mail_error, mail_sent_at, ...forgotten } = state
  forgotten satisfies NothingLeft
  const text = `Enquiry ${id}, ${created_at} (UTC)\n${first_name} ${last_name} <${email}>\n\n${message}\n`
  return {
    id: idempotency_key,
    subject: `Enquiry ${id}`,
    text: escapeControls(text),
    // A mail program may decode a text that looks like an encoded word (RFC 2047), and answer another address.
    ...(isEmail(email) && !email.includes('=?') && { replyTo: email }),
  }
}

export const testMail = (): Mail => ({
  id: randomUUID(),
  subject: 'Test',
  text: 'This is a test. Enquiries arrive in this way.\n',
})

export const failureMail = (reason: string): Mail => ({
  id: randomUUID(),
  subject: 'Backup or deletion failed',
  text: `${reason}

The server tries again: a backup every hour, all else every day; "leads housekeeping" does it at once. Another failure
is mailed only after a success or a restart.
`,
})
