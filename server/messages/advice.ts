/** Advice by the code of a failed delivery; the first match applies. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^HTTP 3/, 'The receiver redirects, but redirects are not followed: set NOTIFY_WEBHOOK_URL to the target.'],
  [/^HTTP 40[13]$/, 'The receiver rejects the signature or the sender: compare NOTIFY_WEBHOOK_SECRET with its secret.'],
  [/^HTTP (404|405|410)$/, 'The receiver accepts no events at this path: check the path in NOTIFY_WEBHOOK_URL.'],
  [/^HTTP 429$/, 'The receiver limits the rate: wait, or have its limit raised.'],
  [
    /^HTTP 4/,
    'The receiver rejects the event. A chat such as Slack needs another form of JSON, so put a relay between: docs/configuration.md, "The receiver of a webhook".',
  ],
  [/^HTTP 5/, 'The receiver failed: see its log.'],
  // Answers of a mail server: the command that it answers, and its status (RFC 5321, 4954 and 3207).
  [
    / for some of NOTIFY_TO$/,
    'Mail is not sent again to those recipients, because the others have it: have the mail server accept them, or remove them from NOTIFY_TO.',
  ],
  [/^STARTTLS /, "The mail server can't start TLS, and without TLS no mail is sent: see its log, or try smtps://."],
  [/^AUTH 4/, "The mail server can't check the login now: mail is sent again by itself. If it lasts, see its log."],
  [/^E?AUTH/, 'The mail server rejects the user or password of NOTIFY_SMTP_URL.'],
  [/ 530$/, 'The mail server requires a login first: NOTIFY_SMTP_URL needs a user and a password.'],
  [/ 452$/, 'A disk or a mailbox is full there: mail is sent again by itself, once there is room.'],
  [/^(MAIL|RCPT|DATA) 45[01]$/, 'The mail server puts mail off, as by greylisting: it is sent again by itself.'],
  [/^[A-Z]+ 4\d\d$/, 'The mail server is busy: mail is sent again by itself. If it lasts, see the log of that server.'],
  [/ 552$|^EMESSAGE/, 'The message is too large for the mail server, or a mailbox there is full.'],
  [/^CONN 5/, 'The mail server takes no mail from this machine: have it allow this machine, or use another server.'],
  [/^(EHLO|HELO) 5/, 'The mail server refuses the name of this machine: set PUBLIC_ORIGIN, whose host it is.'],
  [/^MAIL 5/, 'The mail server refuses the sender: NOTIFY_FROM must be an address that may send there.'],
  [
    /^RCPT 5/,
    'The mail server refuses a recipient: check NOTIFY_TO. For addresses elsewhere it must relay for this machine, or for the user of NOTIFY_SMTP_URL.',
  ],
  [/^DATA 5/, 'The mail server refuses the content: see its log; it may look like spam.'],
  // No answer.
  [/^(HTTPParserError|HPE_|bad port)/, 'No HTTP is spoken at this port: check the port in NOTIFY_WEBHOOK_URL.'],
  [/^ECONNREFUSED/, 'Nothing listens at that host and port: check both, and that the receiver runs.'],
  [/^(ENOTFOUND|EAI_)/, "The host can't be resolved: check its name, and the DNS of this machine."],
  [/^(EHOSTUNREACH|ENETUNREACH)/, "That host can't be reached: check its address, and the network of this machine."],
  [/^\S*(TIMEOUT|TIMEDOUT|TimeoutError)/, 'No answer in time: check host, port and firewalls.'],
  [
    /^\S*(CERT|SIGNATURE)/,
    'Its TLS certificate has expired, is for another host, or is not trusted: renew it, use its host name, or name the file of a private authority in NODE_EXTRA_CA_CERTS.',
  ],
  [/^\S*(SSL|EPROTO)/, 'It speaks another protocol at that port: check the port, and smtp:// versus smtps://.'],
  [/^(ECONN|EPIPE|UND_ERR_SOCKET)/, 'It ended the connection: check port and scheme, and see its log.'],
]

/** The advice for the code of a failed delivery. */
export const adviceFor = (code: string): string =>
  ADVICE.find(([known]) => known.test(code))?.[1] ?? 'See the log of the receiver, or look up this code.'
