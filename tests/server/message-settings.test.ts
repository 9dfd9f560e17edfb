import { expect, test } from 'vitest'
import { readMessageSettings } from '../../server/messages/settings.ts'
import { UserError } from '../../server/user-error.ts'

const MAIL = {
  NOTIFY_SMTP_URL: 'smtp://mail.example.com',
  NOTIFY_FROM: 'leads@example.com',
  NOTIFY_TO: 'desk@example.com',
}
const WEBHOOK = { NOTIFY_WEBHOOK_URL: 'https://example.com/leads?a=b', NOTIFY_WEBHOOK_SECRET: 'secret secret secret' }
const EMPTY = { NOTIFY_SMTP_URL: '', NOTIFY_FROM: '', NOTIFY_TO: '', NOTIFY_WEBHOOK_URL: '', NOTIFY_WEBHOOK_SECRET: '' }

const addresses = { from: MAIL.NOTIFY_FROM, to: [MAIL.NOTIFY_TO], site: null }
const mail = { host: 'mail.example.com', port: 587, secure: false, login: null, ...addresses }
const webhook = { url: WEBHOOK.NOTIFY_WEBHOOK_URL, keys: [Buffer.from(WEBHOOK.NOTIFY_WEBHOOK_SECRET)] }
const ENCODED = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

test.each<[NodeJS.ProcessEnv, object]>([
  [EMPTY, {}],
  [{ NOTIFY_FIRST_DELAY: '1' }, { firstDelayMs: 1000 }],
  [
    { ...MAIL, ...WEBHOOK },
    { mail, webhook },
  ],
  [
    { ...MAIL, NOTIFY_SMTP_URL: 'smtps://desk%40example.com:p%3Ass@mail.example.com/' },
    { mail: { ...mail, port: 465, secure: true, login: { user: 'desk@example.com', pass: 'p:ss' } } },
  ],
  [
    { ...MAIL, NOTIFY_TO: 'a@example.com, b@example.com', PUBLIC_ORIGIN: 'https://www.example.com' },
    { mail: { ...mail, to: ['a@example.com', 'b@example.com'], site: 'www.example.com' } },
  ],
  ...['http://localhost:3000/hook', 'http://127.9.9.9/', 'http://[::1]:1/'].map((url): [NodeJS.ProcessEnv, object] => [
    { ...WEBHOOK, NOTIFY_WEBHOOK_URL: url },
    { webhook: { ...webhook, url } },
  ]),
  [{ ...MAIL, NOTIFY_SMTP_URL: 'smtp://[::1]:2525' }, { mail: { ...mail, host: '::1', port: 2525 } }],
  [
    { ...WEBHOOK, NOTIFY_WEBHOOK_SECRET: `whsec_${ENCODED}`, NOTIFY_WEBHOOK_SECRET_OLD: 'the secret before' },
    { webhook: { ...webhook, keys: [Buffer.from(ENCODED, 'base64'), Buffer.from('the secret before')] } },
  ],
])('%j', (env, expected) => {
  const defaults = { mail: null, webhook: null, firstDelayMs: 30_000 }
  expect(readMessageSettings(env)).toEqual({ ...defaults, ...expected })
})

function expectRefused(env: NodeJS.ProcessEnv, names: string) {
  const read = () => readMessageSettings(env)
  expect(read, JSON.stringify(env)).toThrow(UserError)
  expect(read).toThrow(new RegExp(`^${names} must be [^\n]+\\.$`))
  expect(read).not.toThrow(/secret@|secret secret|c2VjcmV0/)
}

test.each<[NodeJS.ProcessEnv, string]>([
  [{ ...MAIL, NOTIFY_TO: '' }, 'NOTIFY_TO'],
  [{ NOTIFY_SMTP_URL: 'smtp://user:secret@mail.example.com' }, 'NOTIFY_FROM and NOTIFY_TO'],
  [{ ...WEBHOOK, NOTIFY_WEBHOOK_SECRET: '' }, 'NOTIFY_WEBHOOK_SECRET'],
  [{ NOTIFY_WEBHOOK_SECRET_OLD: 'secret secret secret' }, 'NOTIFY_WEBHOOK_URL and NOTIFY_WEBHOOK_SECRET'],
])('what is missing of a channel is told: %j', expectRefused)

test.each<[name: string, ...values: string[]]>([
  ['NOTIFY_SMTP_URL', 'mail.example.com', 'smtp://', 'smtp://user:secret@a.example:port', 'http://a:secret@b.example'],
  ['NOTIFY_SMTP_URL', 'smtp://user@mail.example.com', 'smtp://:secret@a.example', 'smtp://user:%secret@a.example'],
  ['NOTIFY_SMTP_URL', 'smtp://user:secret@a.example/path', 'smtp://user:secret@a.example?logger=true'],
  ['NOTIFY_FROM', 'leads', 'Leads <leads@example.com>', 'a@example.com,b@example.com'],
  ['NOTIFY_TO', 'a@example.com,', 'a@example.com b@example.com', 'A <a@example.com>,b@example.com'],
  ['NOTIFY_TO', 'leads@example.com\r\nBcc: b@example.com'],
  ['NOTIFY_WEBHOOK_URL', 'example.com', 'ftp://example.com', 'javascript:0', 'https://user:secret@example.com'],
  ['NOTIFY_WEBHOOK_URL', 'http://example.com', 'http://127.0.0.1.example.com', 'http://10.0.0.1', 'http://[::2]'],
  ['NOTIFY_WEBHOOK_SECRET', 'secret', 'whsec_', 'whsec_c2VjcmV0', 'whsec_not base64 at all, but a secret'],
  ['NOTIFY_WEBHOOK_SECRET_OLD', 'secret'],
  ['NOTIFY_FIRST_DELAY', '0', '-1', '1.5', '30s', '1e3', '86401'],
])('%s=%j and the like is refused in one line that repeats no secret', (name, ...values) => {
  for (const value of values) expectRefused({ ...MAIL, ...WEBHOOK, [name]: value }, name)
})
