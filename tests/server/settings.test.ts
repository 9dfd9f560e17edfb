import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readSettings, SETTINGS } from '../../server/settings.ts'
import { withoutPassword } from '../../server/storage/database-url.ts'

/** The settings in a table of docs/configuration.md, with their defaults. */
function documented(heading: string) {
  const [, ...sections] = readFileSync('docs/configuration.md', 'utf8').split('\n## ')
  const rows = sections
    .filter((section) => section.startsWith(heading))
    .join()
    .matchAll(/^\| `(\w+)` \| (?:`(.+?)`)?/gm)
  return Object.fromEntries([...rows].map(([, name = '', value]) => [name, value]))
}

test('the documentation has every setting and its default', () => {
  const others = documented('Docker Compose')
  const own = Object.entries(documented('')).filter(([name]) => !(name in others))
  expect(own.map(([name]) => name).toSorted()).toEqual(Object.keys(SETTINGS).toSorted())
  expect(readSettings({})).toEqual(readSettings(Object.fromEntries(own)))
})

test('the documentation has every setting of Compose and its default', () => {
  const used = readFileSync('deploy/compose.yaml', 'utf8').matchAll(/\$\{(\w+):(?:-(\w+)\})?/g)
  const own = [...used].map(([, name = '', value]) => [name, value]).filter(([name = '']) => !(name in SETTINGS))
  expect(Object.fromEntries(own)).toEqual(documented('Docker Compose'))
})

const MAIL = { NOTIFY_SMTP_URL: 'smtp://mail.example.com', NOTIFY_FROM: 'a@example.com', NOTIFY_TO: 'b@example.com' }

test.each<[NodeJS.ProcessEnv, meaning: object]>([
  [{ TRUST_PROXY: '10.0.0.0/8 ::1  192.0.2.1 ' }, { TRUST_PROXY: ['10.0.0.0/8', '::1', '192.0.2.1'] }],
  [MAIL, { NOTIFY_SMTP_URL: { host: 'mail.example.com', port: 587, secure: false, login: null } }],
  [
    { ...MAIL, NOTIFY_SMTP_URL: 'smtps://a%40b.c:p%3A@[::1]/' },
    { NOTIFY_SMTP_URL: { host: '::1', port: 465, secure: true, login: { user: 'a@b.c', pass: 'p:' } } },
  ],
  [
    { CONNECT_ORIGINS: 'https://a.example  http://[::1]:81' },
    { CONNECT_ORIGINS: ['https://a.example', 'http://[::1]:81'] },
  ],
  ...[
    'http://wasserwerk-köln.de/über?a=b#c@d',
    'mailto:desk@example.com,o%27neil@example.com?subject=Website%20page',
  ].map((CONTACT_URL): [NodeJS.ProcessEnv, object] => [{ CONTACT_URL }, { CONTACT_URL }]),
  // Hosting platforms, systemd, Kubernetes and operators set these variables for other programs.
  [
    { DATABASE_PRIVATE_URL: 'x', METRICS_SERVICE_HOST: 'x', NOTIFY_SOCKET: 'x', PUBLIC_URL: 'x' },
    { METRICS_PORT: null },
  ],
  // Kubernetes sets these variables for services named `metrics` and `metric`.
  [{ METRICS_PORT: 'tcp://10.0.0.1:80', METRIC_PORT: 'udp://10.0.0.1:80' }, { METRICS_PORT: null }],
])('valid settings are understood: row %#', (env, meaning) => {
  expect(readSettings(env)).toMatchObject(meaning)
})

test.each<[name: string, ...values: string[]]>([
  ['PORT', '-1', '8080.5', '65536'],
  ['DATABASE_URL', 'data/leads.db', 'mysql://user:secret@db/leads', 'sqlite://data/leads.db', 'sqlite::memory:'],
  ['DATABASE_URL', 'postgresql://db/', 'postgres://user:12/3secret@db/leads', 'postgres://u:%secret@db/l'],
  ['PUBLIC_ORIGIN', 'www.example.com', 'https://u:secret@example.com', 'https://a.example/b', 'https://A.example'],
  ['PUBLIC_ORIGIN', 'https://a.example:443'],
  ['CONNECT_ORIGINS', 'https://a.example *'],
  ['SCRIPT_ORIGINS', 'https://a.example,https://b.example'],
  ['PRIVACY_URL', 'javascript:secret()', 'data:text/html,secret', 'tcp://a.example', '/legal', 'www.example.com'],
  ['IMPRINT_URL', 'https:', 'https://', 'https:///a', 'https://a:99999'],
  ['IMPRINT_URL', 'https://a b.example', 'https://a.example/"secret'],
  ['CONTACT_URL', 'mailto:', 'mailto:?subject=a', 'mailto:desk', 'mailto://a@b.example'],
  ['CONTACT_URL', 'https://secret@b.example', 'a@b.example'],
  ['RATE_LIMIT_SUBSCRIBE', '10/minute', '0/minute 10/hour', '60/hour 10/minute'],
  // Fastify's library for proxies also accepts these values, and then trusts every address or none.
  ['TRUST_PROXY', 'true', '*', '10.0.0.0/255.0.0.0', '0.0.0.0/0', '::/0', '10.0.0', '10.0.0.0/33', '10.0.0.1,10.0.0.2'],
  ['REVEAL_EXISTING', 'no'],
  ['NOTIFY_SMTP_URL', 'mail.example.com', 'http://a:secret@b.example', 'smtp://user@mail.example.com'],
  ['NOTIFY_SMTP_URL', 'smtp://mail.example.com:465', 'smtp://user:%secret@a.example'],
  ['NOTIFY_SMTP_URL', 'smtp://user:secret@a.example?logger=true'],
  ['NOTIFY_FROM', 'Leads <leads@example.com>', 'a@example.com,b@example.com'],
  ['NOTIFY_TO', '', 'a@example.com,'],
])('%s refuses %j, and shows no secret', (name, ...values) => {
  for (const value of values) {
    const reading = () => readSettings({ ...MAIL, [name]: value })
    expect(reading, value).toThrow(new RegExp(`^${name} must be [^\n]+\\.$`))
    expect(reading).not.toThrow(/secret/)
  }
})

test('Docker gets every setting of the build', () => {
  const [, ofBuild] = /^ARG (.+)$/m.exec(readFileSync('deploy/Dockerfile', 'utf8')) ?? []
  const [, ofCompose] = /args: \[(.+)\]/.exec(readFileSync('deploy/compose.yaml', 'utf8')) ?? []
  expect(ofBuild?.split(' ')).toEqual(expect.arrayContaining(['PUBLIC_ORIGIN', ...Object.keys(documented('Build'))]))
  expect(ofCompose?.split(', ')).toEqual(ofBuild?.split(' '))
})

test('a misspelt setting is refused, and so is a METRICS_PORT equal to PORT', () => {
  expect(() => readSettings({ METRICS_PORT: '8080' })).toThrow('METRICS_PORT must be another port than PORT.')
  expect(() => readSettings({ RATE_LIMITS: 'secret' })).toThrow(
    /^There is no setting RATE_LIMITS\. Did you mean RATE_LIMIT\?$/,
  )
})

test('the address of a database is shown without user and password', () => {
  const shown = ['postgres://user:a,b%40c@db:5433/leads', 'postgres:///leads?host=/run/pg'].map((url) =>
    withoutPassword({ kind: 'postgres', url }),
  )
  expect(shown).toEqual(['postgres://db:5433/leads', 'postgres:///run/pg/leads'])
})
