import { randomUUID } from 'node:crypto'
import { isEmail } from '../../src/domain/email.ts'
import { FIELD_NAMES, FIELDS } from '../../src/domain/enquiry-fields.ts'
import { escapeControlCharacters } from '../escape-control-characters.ts'
import { FIELD_COLUMNS, type StoredEnquiry } from '../storage/database.ts'

/** A mail to staff, in plain text. */
export type Mail = {
  /** The same at every attempt, so that a mail program can recognise a mail that arrives twice. */
  readonly id: string
  readonly subject: string
  readonly text: string
  /** The address that gets the reply, instead of the sender. */
  readonly replyTo?: string
}

/** The mail about an enquiry. A valid email address is the only text of the visitor that gets into a header. */
export function mailAbout(enquiry: StoredEnquiry): Mail {
  const { id, idempotency_key, created_at, email } = enquiry
  const fields = FIELD_NAMES.map((name) => {
    // All lines after the first are indented, so that none of them looks like a field.
    const text = escapeControlCharacters(enquiry[FIELD_COLUMNS[name]]).replaceAll('\n', '\n  ')
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

The server tries again within an hour if today's backup is missing, and always with PostgreSQL. Otherwise it tries again
tomorrow. To try at once, run "leads housekeeping".
You get no further mail about failures until a success or a restart of the server.
`,
})
