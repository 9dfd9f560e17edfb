import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readConfiguration } from '../../server/configuration.ts'
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

const PORTS = { port: 0, metricsPort: 0 }

test.each<[NodeJS.ProcessEnv, object]>([
  [{}, {}],
  [EMPTY, {}],
  [{ PORT: '0', METRICS_PORT: '0' }, PORTS],
  [
    { PORT: '65535', HOST: '::1' },
    { port: 65_535, host: '::1' },
  ],
  [{ METRICS_PORT: '9464' }, { metricsPort: 9464 }],
])('%j', (env, expected) => {
  expect(readConfiguration(env)).toEqual({ ...DEFAULTS, ...expected })
})

test.each([
  ['sqlite:my leads#1.db', resolve('my leads#1.db')],
  ['sqlite:/var/lib/leads.db', '/var/lib/leads.db'],
  ['sqlite:///var/lib/leads.db', '/var/lib/leads.db'],
])('DATABASE_URL=%s is a file', (DATABASE_URL, file) => {
  expect(readConfiguration({ DATABASE_URL }).database).toEqual({ kind: 'sqlite', file })
})

// postgres-hosts.test.ts has the other forms.
test('DATABASE_URL may name several hosts', () => {
  const hosts = { urls: ['postgres://user:secret@db1/leads', 'postgres://user:secret@db2/leads'], mustWrite: true }
  const { database } = readConfiguration({ DATABASE_URL: 'postgres://user:secret@db1,db2/leads' })
  expect(database).toEqual({ kind: 'postgres', hosts })
})

const RATES = { RATE_LIMIT_SUBSCRIBE: '1/minute 2/hour', RATE_LIMIT_CONTACT_US: '300000/minute 400000/hour' }

test.each<[NodeJS.ProcessEnv, object]>([
  [{ PUBLIC_ORIGIN: 'http://[::1]:8080' }, { publicOrigin: 'http://[::1]:8080' }],
  [{ RATE_LIMIT: 'on' }, {}],
  [{ RATE_LIMIT: 'off' }, { rateLimits: null }],
  [RATES, { rateLimits: { subscribe: { minute: 1, hour: 2 }, contactUs: { minute: 300_000, hour: 400_000 } } }],
  [
    { TRUST_PROXY: '10.0.0.0/8, 192.0.2.1/32 ,::1,2001:db8::1/128,::ffff:10.0.0.1' },
    { trustProxy: ['10.0.0.0/8', '192.0.2.1/32', '::1', '2001:db8::1/128', '::ffff:10.0.0.1'] },
  ],
  [{ REVEAL_EXISTING: 'true' }, {}],
  [{ REVEAL_EXISTING: 'false' }, { revealExisting: false }],
])('access: %j', (env, expected) => {
  expect(readConfiguration(env).access).toEqual({ ...DEFAULTS.access, ...expected })
})

test.each<[name: string, why: string, values: string[]]>([
  ['PORT', 'no number', ['-1', '80a', '8080.5', ' 8080', '0x50', '80\n81']],
  ['PORT', 'too high', ['65536']],
  ['METRICS_PORT', 'no number, or the same', ['on', '8080']],
  [
    'DATABASE_URL',
    'of no scheme that is known',
    ['data/leads.db', 'file:data/leads.db', 'mysql://user:secret@db/leads'],
  ],
  ['DATABASE_URL', 'without a path, or with one of two meanings', ['sqlite:', 'sqlite://data/leads.db']],
  [
    'DATABASE_URL',
    'a path with white space',
    ['sqlite: /tmp/leads.db', 'sqlite:/tmp/leads.db ', 'sqlite:/tmp/leads.db\n'],
  ],
  [
    'DATABASE_URL',
    'more than a path',
    ['sqlite::memory:', 'sqlite:/tmp/le\0ads.db', 'sqlite:/tmp/leads.db?mode=memory'],
  ],
  [
    'DATABASE_URL',
    'no PostgreSQL',
    ['postgres://user:secret@host:no-port/leads', 'postgres:///leads', 'postgresql://db/'],
  ],
  ['PUBLIC_ORIGIN', 'no origin', ['www.example.com', 'null', '*', 'https://a.example,https://b.example']],
  ['PUBLIC_ORIGIN', 'of another scheme', ['ftp://www.example.com', 'file:///']],
  ['PUBLIC_ORIGIN', 'more than an origin', ['https://www.example.com/', 'https://user:secret@www.example.com']],
  ['PUBLIC_ORIGIN', 'as no browser writes it', ['https://WWW.example.com', 'https://www.example.com:443']],
  ['RATE_LIMIT', 'neither', ['true', '0', 'OFF', '10/minute']],
  ['RATE_LIMIT_SUBSCRIBE', 'not both', ['10', '10/minute', 'off']],
  ['RATE_LIMIT_SUBSCRIBE', 'zero', ['10/minute 0/hour', '0/minute 10/hour']],
  ['RATE_LIMIT_SUBSCRIBE', 'another form', ['60/hour 10/minute', '1e3/minute 60/hour', '10/minute 60/hour\n']],
  ['RATE_LIMIT_CONTACT_US', 'another form', ['5 per minute']],
  ['TRUST_PROXY', 'what the libraries take too', ['true', '1', 'loopback', '*', '10.0.0.0/255.0.0.0']],
  ['TRUST_PROXY', 'everybody', ['0.0.0.0/0', '::/0', '10.0.0.0/08']],
  ['TRUST_PROXY', 'beyond the bits', ['10.0.0.0/33', '::1/129', '10.0.0.0/']],
  ['TRUST_PROXY', 'no address', ['10.0.0', '010.0.0.1', 'fe80::1%eth0', '[::1]', '10.0.0.1:80', 'proxy.example.com']],
  ['TRUST_PROXY', 'with an empty entry', ['10.0.0.1,', '10.0.0.1,,10.0.0.2']],
  ['REVEAL_EXISTING', 'neither', ['TRUE', '1', 'no']],
])('%s that is %s is refused in one line that repeats no secret: %j', (name, _, values) => {
  for (const value of values) {
    const read = () => readConfiguration({ [name]: value })
    expect(read, value).toThrow(UserError)
    expect(read).toThrow(new RegExp(`^${name} must be [^\n]+\\.$`))
    expect(read).not.toThrow('secret')
  }
})
