import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readConfiguration } from '../../server/configuration.ts'
import { SETTING_NAMES } from '../../server/setting-names.ts'
import { UserError } from '../../server/user-error.ts'

const DEFAULTS = {
  database: { kind: 'sqlite', file: resolve('data/leads.db') },
  port: 8080,
  host: '127.0.0.1',
  metricsPort: null,
  access: {
    publicOrigin: null,
    rateLimits: { subscribe: { minute: 10, hour: 60 }, contactUs: { minute: 5, hour: 20 } },
    trustProxy: [],
    revealExisting: true,
  },
}

const EMPTY = {
  ...{ DATABASE_URL: '', PORT: '', HOST: '', METRICS_PORT: '', PUBLIC_ORIGIN: '', RATE_LIMIT: '', TRUST_PROXY: '' },
  ...{ REVEAL_EXISTING: '', RATE_LIMIT_SUBSCRIBE: '', RATE_LIMIT_CONTACT_US: '' },
}

const ALL = {
  ...{ PORT: '0', METRICS_PORT: '0', HOST: '::1', PUBLIC_ORIGIN: 'http://[::1]:8080', REVEAL_EXISTING: 'false' },
  ...{ RATE_LIMIT_SUBSCRIBE: '1/minute 2/hour', RATE_LIMIT_CONTACT_US: '300000/minute 400000/hour' },
  ...{ TRUST_PROXY: '10.0.0.0/8, 192.0.2.1/32 ,::1,2001:db8::1/128,::ffff:10.0.0.1' },
}

test.each<[NodeJS.ProcessEnv, object]>([
  [EMPTY, DEFAULTS],
  [{ RATE_LIMIT: 'on', REVEAL_EXISTING: 'true' }, DEFAULTS],
  [{ RATE_LIMIT: 'off' }, { ...DEFAULTS, access: { ...DEFAULTS.access, rateLimits: null } }],
  [
    ALL,
    {
      ...{ database: DEFAULTS.database, port: 0, metricsPort: 0, host: '::1' },
      access: {
        publicOrigin: 'http://[::1]:8080',
        rateLimits: { subscribe: { minute: 1, hour: 2 }, contactUs: { minute: 300_000, hour: 400_000 } },
        trustProxy: ['10.0.0.0/8', '192.0.2.1/32', '::1', '2001:db8::1/128', '::ffff:10.0.0.1'],
        revealExisting: false,
      },
    },
  ],
])('%j', (env, expected) => {
  expect(readConfiguration(env)).toEqual(expected)
})

test.each<[string, object]>([
  ['sqlite:my leads#1.db', { kind: 'sqlite', file: resolve('my leads#1.db') }],
  ['sqlite:///var/lib/leads.db', { kind: 'sqlite', file: '/var/lib/leads.db' }],
  ...['postgres://user:a,b@c@db:5433/leads', 'postgresql://[::1]/leads', 'postgres:///leads?host=/run/postgres'].map(
    (url): [string, object] => [url, { kind: 'postgres', url }],
  ),
])('DATABASE_URL=%s is %j', (DATABASE_URL, database) => {
  expect(readConfiguration({ DATABASE_URL }).database).toEqual(database)
})

test.each<[name: string, ...values: string[]]>([
  ['PORT', '-1', '80a', '8080.5', ' 8080', '0x50', '80\n81', '65536'],
  ['METRICS_PORT', 'on', '8080'],
  ['DATABASE_URL', 'data/leads.db', 'file:data/leads.db', 'mysql://user:secret@db/leads'],
  ['DATABASE_URL', 'sqlite:', 'sqlite://data/leads.db', 'sqlite::memory:', 'sqlite:/tmp/leads.db?mode=memory'],
  ['DATABASE_URL', 'sqlite: /tmp/leads.db', 'sqlite:/tmp/leads.db ', 'sqlite:/tmp/leads.db\n', 'sqlite:/tmp/a\0b'],
  ['DATABASE_URL', 'postgres://user:secret@host:no-port/leads', 'postgres:///leads', 'postgresql://db/'],
  ['DATABASE_URL', 'postgres:///leads?host=', 'postgres:///?host=/run/postgres', 'postgres:///leads?host=db1%2Cdb2'],
  ['DATABASE_URL', 'postgres://user:secret@db1:5432,db2:5433/leads?target_session_attrs=read-write'],
  ['PUBLIC_ORIGIN', 'www.example.com', 'null', '*', 'https://a.example,https://b.example', 'ftp://www.example.com'],
  ['PUBLIC_ORIGIN', 'https://www.example.com/', 'https://user:secret@www.example.com', 'https://WWW.example.com'],
  ['RATE_LIMIT', 'true', '0', 'OFF', '10/minute'],
  ['RATE_LIMIT_SUBSCRIBE', '10', '10/minute', '10/minute 0/hour', '0/minute 10/hour', '1e3/minute 60/hour'],
  ['RATE_LIMIT_CONTACT_US', '60/hour 10/minute', '10/minute 60/hour\n'],
  // What the libraries take too, and what would be everybody.
  ['TRUST_PROXY', 'true', '1', 'loopback', '*', '10.0.0.0/255.0.0.0', '0.0.0.0/0', '::/0', '10.0.0.0/08'],
  ['TRUST_PROXY', '10.0.0', '010.0.0.1', 'fe80::1%eth0', '[::1]', '10.0.0.1:80', 'proxy.example.com'],
  ['TRUST_PROXY', '10.0.0.0/33', '::1/129', '10.0.0.0/', '10.0.0.1,', '10.0.0.1,,10.0.0.2'],
  ['REVEAL_EXISTING', 'TRUE', '1', 'no'],
])('%s=%j and the like is refused in one line that repeats no secret', (name, ...values) => {
  for (const value of values) {
    const read = () => readConfiguration({ [name]: value })
    expect(read, value).toThrow(UserError)
    expect(read).toThrow(new RegExp(`^${name} must be [^\n]+\\.$`))
    expect(read).not.toThrow('secret')
  }
})

test('of several hosts of PostgreSQL it is told what to name instead', () => {
  const read = (DATABASE_URL: string) => () => readConfiguration({ DATABASE_URL })
  for (const hosts of ['postgres://user@db1,db2/leads', 'postgres:///leads?host=db1,db2'])
    expect(read(hosts)).toThrow(/^DATABASE_URL must be the URL of one host, .+ HAProxy.+DNS\.$/)
})

test.each([
  ['NOTIFY_MAIL_TO', 'NOTIFY_SMTP_URL, NOTIFY_FROM, NOTIFY_TO, '],
  ['RATE_LIMITS', 'RATE_LIMIT, RATE_LIMIT_SUBSCRIBE, RATE_LIMIT_CONTACT_US.'],
  ['DATABASE_URI', 'DATABASE_URL.'],
  ['PUBLIC_URL', 'PUBLIC_ORIGIN.'],
])('the misspelt setting %s is refused in one line that has the right ones: %s', (name, names) => {
  const read = () => readConfiguration({ [name]: 'secret' })
  expect(read).toThrow(UserError)
  expect(read).toThrow(`There is no setting ${name}: of this kind there are ${names}`)
  expect(read).not.toThrow('secret')
})

test('what hosts set for others, and an empty value, is not misspelt', () => {
  const env = { DATABASE_PRIVATE_URL: 'x', DATABASE_URL_UNPOOLED: 'x', NOTIFY_SOCKET: 'x', PUBLIC_URL: '', PATH: 'x' }
  expect(readConfiguration(env)).toEqual(DEFAULTS)
})

test('the documentation has a row for every setting of the server, and for no other', () => {
  const rows = readFileSync('docs/configuration.md', 'utf8').match(/^\| `.+?(?=\|)/gm) ?? []
  const documented = rows.flatMap((row) => row.match(/\w+/g) ?? [])
  // The build alone reads this one.
  expect(documented.toSorted()).toEqual([...SETTING_NAMES, 'CONNECT_ORIGINS'].toSorted())
})
