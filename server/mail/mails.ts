import { randomUUID } from 'node:crypto'
import { isEmail } from '../../src/domain/email.ts'
import { FIELD_NAMES, FIELDS } from '../../src/domain/enquiry-fields.ts'
import { escapeControls } from '../escape-controls.ts'
import { FIELD_COLUMNS, type StoredEnquiry } from '../storage/database.ts'

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
export function mailAbout(enquiry: StoredEnquiry): Mail {
  const { id, idempotency_key, created_at, email } = enquiry
  const fields = FIELD_NAMES.map((name) => {
    // Further lines of a text are indented, so that none of them looks like a field.
    const text = escapeControls(enquiry[FIELD_COLUMNS[name]]).replaceAll('\n', '\n  ')
    return `${FIELDS[name].label}: ${text}\n`
  })
  return {
    id: idempotency_key,
    subject: `Enquiry ${id}`,
    text: `Enquiry ${id}, ${created_at} (UTC)\n${fields.join('')}`,
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
