/** The first that fits says what to do. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^HTTP 3/, 'The receiver redirects, which is not followed: set NOTIFY_WEBHOOK_URL to where it leads.'],
  [/^HTTP 40[13]$/, 'The receiver refuses the signature or the sender: compare NOTIFY_WEBHOOK_SECRET with its secret.'],
  [/^HTTP (404|405|410)$/, 'The receiver expects no events there: check the path in NOTIFY_WEBHOOK_URL.'],
  [/^HTTP 429$/, 'The receiver was called too often: wait, or have it raise its limit.'],
  [/^HTTP 4/, 'The receiver refuses the event: see its log, and the webhook "lead" in openapi.yaml.'],
  [/^HTTP 5/, 'The receiver fails: see its log.'],
  [/^bad port$/, 'No program that speaks HTTP calls this port: use another port in NOTIFY_WEBHOOK_URL.'],
  [/^ECONNREFUSED/, 'Nothing listens at that host and port: check both, and that the receiver runs.'],
  [/^(ENOTFOUND|EAI_|EDNS)/, 'The host has no address: check its name, and the DNS of this machine.'],
  [/TIMEOUT|TIMEDOUT|TimeoutError/, 'No answer in time: check host and port, and firewalls in between.'],
  [/^EAUTH/, 'The mail server refuses the user or the password of NOTIFY_SMTP_URL.'],
  [/^ETLS/, 'The mail server offers no TLS that works, and a password goes over nothing else: try smtps://.'],
  [/^EENVELOPE/, 'The mail server refuses an address: it must let this machine send from NOTIFY_FROM to NOTIFY_TO.'],
  [/^EMESSAGE/, 'The mail server refuses the letter: see its log, perhaps it takes it for spam.'],
  [/CERT|SIGNATURE|ALTNAME/, 'Its TLS certificate is not trusted, is of another host, or has expired.'],
  [/SSL|EPROTO/, 'It speaks no TLS at that port: check the port, or use http://.'],
  [/^(ESOCKET|ECONNECTION)/, 'No connection: check host and port, smtp:// against smtps://, and its certificate.'],
]

/** What to do about the code that came back from a way. */
export const adviceOn = (code: string): string =>
  ADVICE.find(([known]) => known.test(code))?.[1] ?? 'See the log of the receiver, or search for this code.'
