import { type Advice, connectionAdvice, findAdvice } from '../errors.ts'

/**
 * The cause of a refused mail, and a sign of it: an enhanced status code (RFC 3463), or words. Mail servers use some
 * codes for many causes, and some servers send none. The first sign that is found decides.
 */
const CAUSES: readonly (readonly [cause: string, sign: RegExp])[] = [
  ['size', /\bsize\b/i],
  ['sender', /send ?as|disallowed as/i],
  ['quota', /^(5\.2\.\d|4\.2\.2|[45]\.3\.1|[45]\.4\.5)/],
  ['quota', /quota|exceed|limit|box (is )?full|too many (e?mails|messages)/i],
  ['relay', /^5\.7\.(54|64)\b|relay|rcpthosts/i],
  ['client', /^5\.7\.25\b|client host|block(ed using| ?list)|black ?list|spamhaus|reverse|\bIP\b/i],
  ['helo', /\b(helo|ehlo)\b/i],
  ['sender', /^[45]\.(1\.[78]|7\.(2\d|60|50[129]|515|750))\b/],
  ['sender', /sender|send (mail )?from|from.? (address|header)|not (owned|verified)|\bSPF\b/i],
]

/** The code of a mail server's answer to a command, for example 'RCPT 550 5.2.2 quota'. It has no personal data. */
export function codeOfAnswer(command: string, answer: string): string {
  const [, status = '', enhanced = '', text = ''] =
    /^(\d{3})[ -]?(?:#?([245]\.\d{1,3}\.\d{1,3})\b)?(.*)/s.exec(answer) ?? []
  // A word like 'sender' in an address or a link is no sign.
  const signs = `${enhanced} ${text.replace(/\S*(@|:\/\/)\S*/g, '')}`
  const cause = COMMANDS_OF_A_MAIL.test(command) && CAUSES.find(([, sign]) => sign.test(signs))?.[0]
  return [command, status, enhanced, cause].filter(Boolean).join(' ')
}

const COMMANDS_OF_A_MAIL = /^(MAIL|RCPT|DATA)/

/** Whether it is useless to send a mail again. A full mailbox may get room, and an operator may correct a login. */
export const isRefusedPermanently = (code: string): boolean => /^(MAIL|RCPT|DATA) 5(?!.* quota)/.test(code)

const ADVICE: Advice = [
  [
    / for no\. \d/,
    'The other recipients have the mail: make the mail server accept these of NOTIFY_TO too, or remove them.',
  ],
  // Answers of a mail server: the command, its status (RFC 5321, 4954, 3207 and 3463), and perhaps a cause.
  [/^STARTTLS /, "The mail server can't start TLS, and without TLS no mail is sent: see its log, or try smtps://."],
  [/^AUTH 4/, "The mail server can't check the login now: enquiries are tried again. If it lasts, see its log."],
  [/^AUTH 534/, 'The mail server wants an app password (Google: Security, 2-Step Verification, App passwords).'],
  [
    /^AUTH 535 5\.7\.139/,
    'Microsoft 365 has SMTP AUTH switched off: allow it for this mailbox and in the security defaults.',
  ],
  [
    /^AUTH (50\d|\d+ 5\.7\.30)/,
    'The mail server offers no login that this server knows: switch on PLAIN or LOGIN there (NTLM and OAuth are not enough), try port 587, or use another mail server.',
  ],
  [/^E?AUTH/, 'The mail server rejects the user or password of NOTIFY_SMTP_URL.'],
  [/ 530\b/, 'The mail server requires a login first: NOTIFY_SMTP_URL needs a user and a password.'],
  [
    / quota$| 452\b/,
    'A quota, a mailbox or a disk is full there: enquiries are tried again for a day. If it lasts, raise the quota, or make room.',
  ],
  [
    / relay$/,
    'The mail server sends mail to other domains only after a login, or for machines that it knows: give NOTIFY_SMTP_URL a user and a password and port 587 or 465, or allow this machine there.',
  ],
  [
    / client$|^CONN 5/,
    'The mail server takes no mail from this machine: allow this machine there, or use another mail server.',
  ],
  [
    / helo$|^(EHLO|HELO) 5/,
    'The mail server refuses the name in the greeting: the host of PUBLIC_ORIGIN, else the domain of NOTIFY_FROM.',
  ],
  [/ size$| 552\b|^EMESSAGE/, 'The mail is too large for the mail server: raise its limit.'],
  [
    / sender$|^MAIL 5/,
    'The mail server refuses the sender: NOTIFY_FROM must be an address that the user of NOTIFY_SMTP_URL may send from, and its domain must allow that server (SPF, DKIM).',
  ],
  [
    /^(MAIL|RCPT|DATA) 45[01]/,
    'The mail server delays mail from unknown senders (greylisting): enquiries are tried again.',
  ],
  [/^[A-Z]+ 4\d\d/, 'The mail server is busy: enquiries are tried again. If it lasts, see the log of that server.'],
  [/^RCPT 5/, 'The mail server refuses a recipient: check NOTIFY_TO.'],
  [
    /^DATA 5/,
    'The mail server refuses the mail: see its log. Perhaps the text looks like spam, or NOTIFY_FROM must be another address.',
  ],
  [
    /^ENOGREETING/,
    'The port accepts connections, but sends no greeting: if it starts with TLS, like port 465, write smtps:// instead of smtp://.',
  ],
  [
    /^ENOANSWER/,
    'The mail server went silent, perhaps while it checked the mail: enquiries are tried again, and may arrive twice. If it lasts, see the log of that server.',
  ],
  [
    /WRONG_VERSION|PACKET_LENGTH|EPROTO/,
    'The port does not start TLS. If NOTIFY_SMTP_URL has smtps://, use port 465, or write smtp:// instead of smtps://. If it has smtp://, STARTTLS of the mail server is broken: see its log, or use another port.',
  ],
  ...connectionAdvice('NOTIFY_SMTP_URL'),
]

export const mailAdvice = (code: string): string =>
  findAdvice(ADVICE, code) ?? 'See the log of the mail server, or look up this code.'
