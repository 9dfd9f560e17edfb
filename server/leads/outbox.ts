import { UserError } from '../errors.ts'
import { mailAdvice } from '../mail/advice.ts'
import { countUnsent, retryUnsent, selectUnsent } from '../mail/mail-queue.ts'
import { createSend } from '../mail/smtp.ts'
import { testMail } from '../mail/write-mails.ts'
import type { Settings } from '../settings.ts'
import type { Db } from '../storage/database.ts'
import { localTime, print, say } from './terminal.ts'

const NO_MAIL = 'No mail is configured: set NOTIFY_SMTP_URL, NOTIFY_FROM and NOTIFY_TO.'

/** Prints the enquiries whose mail is not sent yet, the oldest first, and why. */
export async function printOutbox(db: Db) {
  const columns = ['id', 'created_at', 'mail_due_at', 'mail_attempts', 'mail_error'] as const
  const enquiries = await selectUnsent(db).select(columns).orderBy('id').execute()
  for (const { id, created_at, mail_due_at, mail_attempts, mail_error } of enquiries) {
    const state = mail_due_at === null ? 'failed' : 'pending'
    const reason = mail_error ? `: ${mail_error}. ${mailAdvice(mail_error)}` : ''
    await print(`e${id} ${state} since ${localTime(created_at)}, attempts ${mail_attempts}${reason}\n`)
  }
  say(`Enquiries whose mail is not sent: ${enquiries.length}`)
}

/** Makes all mails due, for the servers to send. */
export async function retryOutbox(db: Db, settings: Settings) {
  if (settings.NOTIFY_TO === null) throw new UserError(NO_MAIL)
  await retryUnsent(db)
  const { pending } = await countUnsent(db)
  say(`Within five minutes the servers begin to send these mails, one after the other: ${pending}`)
}

/** Sends a test mail, and prints the result. Throws a UserError if not all recipients get the mail. */
export async function testMailSettings(settings: Settings) {
  const send = createSend(settings)
  if (send === null) throw new UserError(NO_MAIL)
  say('Sending a mail. A slow mail server may take minutes.')
  const { delivered, code, rejected } = await send(testMail())
  if (delivered && !rejected) return print(`delivered (${code}): now look into the mailboxes of NOTIFY_TO\n`)
  const failure = rejected ?? code
  throw new UserError(`failed (${failure}). ${mailAdvice(failure)}`)
}
