import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { rootCertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { readConfiguration } from '../../server/configuration.ts'
import { readKeepSettings } from '../../server/keep-settings.ts'
import { readMessageSettings } from '../../server/messages/settings.ts'
import { SETTING_NAMES, settingsOf } from '../../server/setting-names.ts'
import { UserError } from '../../server/user-error.ts'

function read(env: NodeJS.ProcessEnv) {
  const settings = settingsOf(env)
  return { ...readConfiguration(settings), ...readMessageSettings(settings), keep: readKeepSettings(settings) }
}

const database = { kind: 'sqlite', file: resolve('data/leads.db') }
const access = {
  publicOrigin: null,
  rateLimits: { subscribe: { minute: 10, hour: 300 }, contactUs: { minute: 5, hour: 20 } },
  trustProxy: [],
  revealExisting: true,
}
const DEFAULTS = {
  ...{ database, port: 8080, host: '127.0.0.1', metricsPort: null, metricsHost: '127.0.0.1', access },
  keep: { backups: 30, days: { subscribers: null, enquiries: null } },
  ...{ mail: null, webhook: null, firstDelayMs: 30_000 },
}

const ALL = {
  ...{
    PORT: '0',
    METRICS_PORT: '0',
    METRICS_HOST: '::',
    HOST: '::1',
    PUBLIC_ORIGIN: 'http://[::1]:8080',
    REVEAL_EXISTING: 'false',
  },
  ...{ KEEP_BACKUPS: '7', KEEP_SUBSCRIBERS_DAYS: '730', KEEP_ENQUIRIES_DAYS: '99999' },
  ...{ RATE_LIMIT_SUBSCRIBE: '1/minute 2/hour', RATE_LIMIT_CONTACT_US: '300000/minute 400000/hour' },
  ...{ TRUST_PROXY: '10.0.0.0/8, 192.0.2.1/32 ,::1,2001:db8::1/128,::ffff:10.0.0.1' },
}

const MAIL = { NOTIFY_SMTP_URL: 'smtp://mail.example.com', NOTIFY_FROM: 'a@example.com', NOTIFY_TO: 'b@example.com' }
const SMTPS = 'smtps://desk%40example.com:p%3Ass@mail.example.com/'
const login = { user: 'desk@example.com', pass: 'p:ss' }
const mail = {
  ...{ host: 'mail.example.com', port: 587, secure: false, ca: null, login: null },
  ...{ greetAs: 'example.com', from: 'a@example.com', to: ['b@example.com'], site: null },
}

const WEBHOOK = { NOTIFY_WEBHOOK_URL: 'https://example.com/leads?a=b', NOTIFY_WEBHOOK_SECRET: 'secret secret secret' }
const webhook = { url: WEBHOOK.NOTIFY_WEBHOOK_URL, keys: [Buffer.from(WEBHOOK.NOTIFY_WEBHOOK_SECRET)] }
const ENCODED = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

test.each<[NodeJS.ProcessEnv, object]>([
  [Object.fromEntries(SETTING_NAMES.map((name) => [name, ''])), {}],
  [{ RATE_LIMIT: 'on', REVEAL_EXISTING: 'true' }, {}],
  [{ RATE_LIMIT: 'off' }, { access: { ...access, rateLimits: null } }],
  [
    ALL,
    {
      ...{ port: 0, metricsPort: 0, metricsHost: '::', host: '::1' },
      keep: { backups: 7, days: { subscribers: 730, enquiries: 99_999 } },
      access: {
        publicOrigin: 'http://[::1]:8080',
        rateLimits: { subscribe: { minute: 1, hour: 2 }, contactUs: { minute: 300_000, hour: 400_000 } },
        trustProxy: ['10.0.0.0/8', '192.0.2.1/32', '::1', '2001:db8::1/128', '::ffff:10.0.0.1'],
        revealExisting: false,
      },
    },
  ],
  ...Object.entries({
    'sqlite:my leads#1.db': resolve('my leads#1.db'),
    'sqlite:///var/lib/l.db': '/var/lib/l.db',
  }).map(([DATABASE_URL, file]): [NodeJS.ProcessEnv, object] => [
    { DATABASE_URL },
    { database: { kind: 'sqlite', file } },
  ]),
  ...['postgres://user:a,b%40c@db:5433/leads', 'postgresql://[::1]/leads', 'postgres:///leads?host=/run/postgres'].map(
    (url): [NodeJS.ProcessEnv, object] => [{ DATABASE_URL: url }, { database: { kind: 'postgres', url } }],
  ),
  [
    { ...MAIL, ...WEBHOOK, NOTIFY_FIRST_DELAY: '1' },
    { mail, webhook, firstDelayMs: 1000 },
  ],
  [
    { ...MAIL, NOTIFY_SMTP_URL: SMTPS, NOTIFY_TO: 'b@example.com, c@example.com' },
    { mail: { ...mail, port: 465, secure: true, login, to: ['b@example.com', 'c@example.com'] } },
  ],
  [
    { ...WEBHOOK, NOTIFY_WEBHOOK_URL: 'http://127.9.9.9/', NOTIFY_WEBHOOK_SECRET_OLD: `whsec_${ENCODED}` },
    { webhook: { url: 'http://127.9.9.9/', keys: [...webhook.keys, Buffer.from(ENCODED, 'base64')] } },
  ],
  // What hosts set for others is not misspelt.
  [{ DATABASE_PRIVATE_URL: 'x', DATABASE_URL_UNPOOLED: 'x', NOTIFY_SOCKET: 'x', PUBLIC_URL: '', PATH: 'x' }, {}],
])('%j', (env, expected) => {
  expect(read(env)).toEqual({ ...DEFAULTS, ...expected })
})

test.each<[name: string, ...values: string[]]>([
  ['PORT', '-1', '80a', '8080.5', '80\n81', '65536'],
  ['METRICS_PORT', 'on', '8080'],
  ['KEEP_BACKUPS', '0', '-1', '1.5', '30d', '100000'],
  ['KEEP_SUBSCRIBERS_DAYS', '0', '365d'],
  ['KEEP_ENQUIRIES_DAYS', '0', 'forever'],
  ['DATABASE_URL', 'data/leads.db', 'mysql://user:secret@db/leads', 'sqlite:', 'sqlite://data/leads.db'],
  ['DATABASE_URL', 'sqlite::memory:', 'sqlite:/tmp/leads.db?mode=memory', 'sqlite:/tmp/leads.db ', 'sqlite:/tmp/a\0b'],
  ['DATABASE_URL', 'postgres://user:secret@host:no-port/leads', 'postgresql://db/', 'postgres:///leads?host='],
  ['DATABASE_URL', 'postgres://user:12/secret@db/leads', 'postgres://user:12?secret@db/leads'],
  ['DATABASE_URL', 'postgres://user:12#secret@db/leads', 'postgres://user:12@secret@db/leads', 'postgres://u:%s@db/l'],
  ['DATABASE_URL', 'postgres://user:secret@db1,db2/leads', 'postgres:///leads?host=db1%2Cdb2'],
  ['PUBLIC_ORIGIN', 'www.example.com', 'null', '*', 'https://a.example,https://b.example', 'ftp://www.example.com'],
  ['PUBLIC_ORIGIN', 'https://www.example.com/', 'https://user:secret@www.example.com', 'https://WWW.example.com'],
  ['RATE_LIMIT', 'true', '0', 'OFF'],
  ['RATE_LIMIT_SUBSCRIBE', '10/minute', '10/minute 0/hour', '0/minute 10/hour', '60/hour 10/minute'],
  // What the libraries take too, and what would be everybody.
  ['TRUST_PROXY', 'true', '1', 'loopback', '*', '10.0.0.0/255.0.0.0', '0.0.0.0/0', '::/0', '10.0.0.1,'],
  ['TRUST_PROXY', '10.0.0', 'fe80::1%eth0', '[::1]', '10.0.0.1:80', 'proxy.example.com', '10.0.0.0/33', '::1/129'],
  ['REVEAL_EXISTING', 'TRUE', '1', 'no'],
  ['NOTIFY_SMTP_URL', 'mail.example.com', 'smtp://', 'http://a:secret@b.example', 'smtp://user@mail.example.com'],
  ['NOTIFY_SMTP_URL', 'smtp://user:%secret@a.example', 'smtp://user:secret@a.example?logger=true'],
  ['NOTIFY_SMTP_CA', 'none.pem', '/', 'package.json'],
  ['NOTIFY_FROM', 'leads', 'Leads <leads@example.com>', 'a@example.com,b@example.com'],
  ['NOTIFY_TO', '', 'a@example.com,', 'a@example.com b@example.com', 'leads@example.com\r\nBcc: b@example.com'],
  ['NOTIFY_TO', 'root', 'root@localhost', 'b@example.com, root@desk'],
  ['NOTIFY_WEBHOOK_URL', 'example.com', 'ftp://example.com', 'https://user:secret@example.com'],
  ['NOTIFY_WEBHOOK_URL', 'http://example.com', 'http://127.0.0.1.example.com', 'http://10.0.0.1', 'http://[::2]'],
  ['NOTIFY_WEBHOOK_SECRET', '', 'secret', 'whsec_c2VjcmV0', 'whsec_not base64 at all, but a secret'],
  ['NOTIFY_WEBHOOK_SECRET_OLD', 'secret'],
  ['NOTIFY_FIRST_DELAY', '0', '1.5', '30s', '86401'],
])('%s=%j and the like is refused in one line that repeats no secret', (name, ...values) => {
  for (const value of values) {
    const reading = () => read({ ...MAIL, ...WEBHOOK, [name]: value })
    expect(reading, value).toThrow(UserError)
    expect(reading).toThrow(new RegExp(`^${name} must be [^\n]+\\.$`))
    expect(reading).not.toThrow(/secret|c2VjcmV0/)
  }
})

const readMail = (env: NodeJS.ProcessEnv) => read({ ...MAIL, ...env }).mail

test.each([
  ['localhost', 25],
  ['127.0.1.1', 25],
  ['[::1]', 25],
  ['localhost:2525', 2525],
  ['user:secret@localhost', 25],
  ['localhost.example.com', 587],
  ['192.0.2.1', 587],
])('smtp://%s means port %i', (host, port) => {
  expect(readMail({ NOTIFY_SMTP_URL: `smtp://${host}` })).toMatchObject({ port })
})

test.each([
  ['https://www.example.org', 'www.example.org'],
  ['https://www.example.org:8443', 'www.example.org'],
  ['http://192.0.2.1', 'example.com'],
  ['http://[2001:db8::1]', 'example.com'],
  ['http://localhost:8080', 'example.com'],
])('a mail server is greeted from the page %s as %s, a name with a dot', (PUBLIC_ORIGIN, greetAs) => {
  expect(readMail({ PUBLIC_ORIGIN })).toMatchObject({ greetAs })
})

test.each([
  ['root', 'root@localhost'],
  ['root@localhost', 'root@localhost'],
  ['desk@machine', 'desk@machine'],
])('a mail server of this machine has the mailbox %s', (mailbox, address) => {
  const settings = readMail({ NOTIFY_SMTP_URL: 'smtp://localhost', NOTIFY_FROM: mailbox, NOTIFY_TO: mailbox })
  expect(settings).toMatchObject({ from: address, to: [address] })
})

test('a file with several certificates can be what is trusted of a mail server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'ca.pem')
  const ca = `# Ours\n${rootCertificates.slice(0, 2).join('\n')}\n`
  writeFileSync(file, ca)
  expect(readMail({ NOTIFY_SMTP_CA: file })).toMatchObject({ ca })
})

test.each([
  ['NOTIFY_MAIL_TO', 'NOTIFY_SMTP_URL, NOTIFY_FROM, NOTIFY_TO, NOTIFY_SMTP_CA, '],
  ['RATE_LIMITS', 'RATE_LIMIT, RATE_LIMIT_SUBSCRIBE, RATE_LIMIT_CONTACT_US.'],
  ['DATABASE_URI', 'DATABASE_URL.'],
  ['PUBLIC_URL', 'PUBLIC_ORIGIN.'],
])('the misspelt setting %s is refused in one line that has the right ones: %s', (name, names) => {
  const reading = () => read({ [name]: 'secret' })
  expect(reading).toThrow(UserError)
  expect(reading).toThrow(`There is no setting ${name}: of this kind there are ${names}`)
  expect(reading).not.toThrow('secret')
})

test('a password that needs it is told to be percent-encoded', () => {
  expect(() => read({ DATABASE_URL: 'postgres://user:12/3x@db/leads' })).toThrow(/percent-encoded: \/ is %2F/)
})

test('the documentation has a row for every setting of the server, and for no other', () => {
  const rows = readFileSync('docs/configuration.md', 'utf8').match(/^\| `.+?(?=\|)/gm) ?? []
  const documented = rows.flatMap((row) => row.match(/\w+/g) ?? [])
  // The build alone reads this one.
  expect(documented.toSorted()).toEqual([...SETTING_NAMES, 'CONNECT_ORIGINS'].toSorted())
})
