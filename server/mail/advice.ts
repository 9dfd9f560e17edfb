import { type Advice, connectionAdvice, findAdvice } from '../errors.ts'

const ADVICE: Advice = [
  // Answers of a mail server: the command that it answers, and its status (RFC 5321, 4954, 3207 and 3463).
  [/ for no\. \d/, 'The others have the mail: have the mail server accept these of NOTIFY_TO too, or remove them.'],
  [/^STARTTLS /, "The mail server can't start TLS, and without TLS no mail is sent: see its log, or try smtps://."],
  [/^AUTH 4/, "The mail server can't check the login now: mail is sent again by itself. If it lasts, see its log."],
  [/^AUTH 534/, 'The mail server wants an app password (Google: Security, 2-Step Verification, App passwords).'],
  [
    /^AUTH 535 5\.7\.139/,
    'Microsoft 365 has SMTP AUTH switched off: allow it for this mailbox and in the security defaults.',
  ],
  [/^E?AUTH/, 'The mail server rejects the user or password of NOTIFY_SMTP_URL.'],
  [/ 530\b/, 'The mail server requires a login first: NOTIFY_SMTP_URL needs a user and a password.'],
  [/ 452\b/, 'A disk or a mailbox is full there: mail is sent again by itself, once there is room.'],
  [/^(MAIL|RCPT|DATA) 45[01]/, 'The mail server puts mail off, as by greylisting: it is sent again by itself.'],
  [/^[A-Z]+ 4\d\d/, 'The mail server is busy: mail is sent again by itself. If it lasts, see the log of that server.'],
  [/ 552\b|^EMESSAGE/, 'The mail is too large for the mail server, or a mailbox there is full.'],
  [/^CONN 5/, 'The mail server takes no mail from this machine: have it allow this machine, or use another server.'],
  [
    /^(EHLO|HELO) 5/,
    'The mail server refuses the name in the greeting: the host of PUBLIC_ORIGIN, else the domain of NOTIFY_FROM.',
  ],
  [/^MAIL 5/, 'The mail server refuses the sender: NOTIFY_FROM must be an address that may send there.'],
  [/^RCPT 5/, 'The mail server refuses a recipient: check NOTIFY_TO, and that it may relay for this machine or user.'],
  [/^DATA 5/, 'The mail server refuses the content: see its log; it may look like spam.'],
  [
    /^ENOGREETING/,
    'The port answers, but greets nobody: if it begins with TLS, as 465 does, write smtps:// for smtp://.',
  ],
  [
    /WRONG_VERSION|PACKET_LENGTH|EPROTO/,
    'The port does not begin with TLS: write smtp:// for smtps://, or take port 465.',
  ],
  ...connectionAdvice('NOTIFY_SMTP_URL'),
]

/** The advice for the code of a failed delivery. */
export const mailAdvice = (code: string): string =>
  findAdvice(ADVICE, code) ?? 'See the log of the mail server, or look up this code.'
