/** What to do, by the code of a failed delivery; the first match applies. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^HTTP 3/, 'The receiver redirects, which is not followed: set NOTIFY_WEBHOOK_URL to the target.'],
  [/^HTTP 40[13]$/, 'The receiver rejects the signature or the sender: compare NOTIFY_WEBHOOK_SECRET with its secret.'],
  [/^HTTP (404|405|410)$/, 'The receiver takes no events there: check the path in NOTIFY_WEBHOOK_URL.'],
  [/^HTTP 429$/, 'The receiver limits the rate: wait, or have its limit raised.'],
  [/^HTTP 4/, 'The receiver rejects the event: see its log, and the webhook "lead" in webhooks.yaml.'],
  [/^HTTP 5/, 'The receiver failed: see its log.'],
  [/^bad port$/, 'HTTP clients refuse this port: use another one in NOTIFY_WEBHOOK_URL.'],
  [/^ECONNREFUSED/, 'Nothing listens at that host and port: check both, and that the receiver runs.'],
  [/^(ENOTFOUND|EAI_|EDNS)/, "The host can't be resolved: check its name, and the DNS of this machine."],
  [/TIMEOUT|TIMEDOUT|TimeoutError/, 'No answer in time: check host, port and firewalls.'],
  [/^EAUTH/, 'The mail server rejects the user or password of NOTIFY_SMTP_URL.'],
  [/^ETLS/, 'The mail server offers no working TLS, and a password is never sent without it: try smtps://.'],
  [/^EENVELOPE/, 'The mail server rejects an address: it must let this machine send from NOTIFY_FROM to NOTIFY_TO.'],
  [/^EMESSAGE/, 'The mail server rejects the message: see its log; it may look like spam.'],
  [/CERT|SIGNATURE|ALTNAME/, 'Its TLS certificate is not trusted, is for another host, or has expired.'],
  [/SSL|EPROTO/, 'It does not use TLS at that port: check the port.'],
  [/^(ESOCKET|ECONNECTION)/, 'No connection: check host, port, smtp:// versus smtps://, and the certificate.'],
]

/** What to do about the code of a failed delivery. */
export const adviceFor = (code: string): string =>
  ADVICE.find(([known]) => known.test(code))?.[1] ?? 'See the log of the receiver, or look up this code.'
