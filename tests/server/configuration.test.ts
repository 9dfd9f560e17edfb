import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfiguration } from '../../server/configuration.ts'
import { UserError } from '../../server/user-error.ts'

const ACCESS = {
  publicOrigin: null,
  rateLimits: { subscribe: { minute: 10, hour: 60 }, contactUs: { minute: 5, hour: 20 } },
  trustProxy: [],
  revealExisting: true,
}

const sqlite = (file: string) => ({ database: { kind: 'sqlite', file } })

const postgres = (...urls: string[]) => ({
  database: { kind: 'postgres', hosts: { urls, mustWrite: urls.length > 1 } },
})

const DEFAULTS = {
  ...sqlite(resolve('data/leads.db')),
  port: 8080,
  host: '127.0.0.1',
  metricsPort: null,
  access: ACCESS,
}

test.each<[NodeJS.ProcessEnv, object]>([
  [{}, {}],
  [{ DATABASE_URL: '', PORT: '', HOST: '' }, {}],
  [{ DATABASE_URL: 'sqlite:other.db' }, sqlite(resolve('other.db'))],
  [{ DATABASE_URL: 'sqlite:/var/lib/leads.db' }, sqlite('/var/lib/leads.db')],
  [{ DATABASE_URL: 'sqlite:///var/lib/leads.db' }, sqlite('/var/lib/leads.db')],
  [{ DATABASE_URL: 'sqlite:my leads#1.db' }, sqlite(resolve('my leads#1.db'))],
  [{ DATABASE_URL: 'postgres://user:secret@localhost/leads' }, postgres('postgres://user:secret@localhost/leads')],
  [{ DATABASE_URL: 'postgresql://db.example.com/leads?a=b' }, postgres('postgresql://db.example.com/leads?a=b')],
  [{ DATABASE_URL: 'postgres:///leads?host=/run/postgres' }, postgres('postgres:///leads?host=/run/postgres')],
  [{ DATABASE_URL: 'postgres://%2Frun%2Fpostgres/leads' }, postgres('postgres://%2Frun%2Fpostgres/leads')],
  [{ DATABASE_URL: 'postgres://db1,db2/leads' }, postgres('postgres://db1/leads', 'postgres://db2/leads')],
  [{ PORT: '0' }, { port: 0 }],
  [
    { PORT: '0', METRICS_PORT: '0' },
    { port: 0, metricsPort: 0 },
  ],
  [{ METRICS_PORT: '9464' }, { metricsPort: 9464 }],
  [
    { PORT: '65535', HOST: '::1' },
    { port: 65_535, host: '::1' },
  ],
])('%j', (env, expected) => {
  expect(readConfiguration(env)).toEqual({ ...DEFAULTS, ...expected })
})

test.each<[NodeJS.ProcessEnv, object]>([
  [{ PUBLIC_ORIGIN: '', RATE_LIMIT: '', TRUST_PROXY: '', REVEAL_EXISTING: '', RATE_LIMIT_SUBSCRIBE: '' }, {}],
  [{ PUBLIC_ORIGIN: 'https://www.example.com' }, { publicOrigin: 'https://www.example.com' }],
  [{ PUBLIC_ORIGIN: 'http://[::1]:8080' }, { publicOrigin: 'http://[::1]:8080' }],
  [{ RATE_LIMIT: 'on' }, {}],
  [{ RATE_LIMIT: 'off' }, { rateLimits: null }],
  [
    { RATE_LIMIT_SUBSCRIBE: '1/minute 2/hour', RATE_LIMIT_CONTACT_US: '300000/minute 400000/hour' },
    { rateLimits: { subscribe: { minute: 1, hour: 2 }, contactUs: { minute: 300_000, hour: 400_000 } } },
  ],
  [{ TRUST_PROXY: '192.0.2.1' }, { trustProxy: ['192.0.2.1'] }],
  [
    { TRUST_PROXY: '10.0.0.0/8, 192.0.2.1/32 ,::1,fd00::/8,2001:db8::1/128,::ffff:10.0.0.1' },
    { trustProxy: ['10.0.0.0/8', '192.0.2.1/32', '::1', 'fd00::/8', '2001:db8::1/128', '::ffff:10.0.0.1'] },
  ],
  [{ REVEAL_EXISTING: 'true' }, {}],
  [{ REVEAL_EXISTING: 'false' }, { revealExisting: false }],
])('access: %j', (env, expected) => {
  expect(readConfiguration(env).access).toEqual({ ...ACCESS, ...expected })
})

describe('refused, in one line that names the variable', () => {
  test.each([
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80a'],
    ['PORT', '8080.5'],
    ['PORT', ' 8080'],
    ['PORT', '0x50'],
    ['PORT', '80\n81'],
    ['DATABASE_URL', 'data/leads.db'],
    ['DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'sqlite://data/leads.db'],
    ['DATABASE_URL', 'sqlite::memory:'],
    ['DATABASE_URL', 'sqlite:///:memory:'],
    ['DATABASE_URL', 'sqlite: /tmp/leads.db'],
    ['DATABASE_URL', 'sqlite:/tmp/leads.db '],
    ['DATABASE_URL', 'sqlite:/tmp/leads.db\n'],
    ['DATABASE_URL', 'sqlite:/tmp/le\nads.db'],
    ['DATABASE_URL', 'sqlite:/tmp/le\0ads.db'],
    ['DATABASE_URL', 'sqlite:/tmp/leads.db?mode=memory'],
    ['DATABASE_URL', 'SQLITE:data/leads.db'],
    ['DATABASE_URL', 'file:data/leads.db'],
    ['DATABASE_URL', 'mysql://user:secret@localhost/leads'],
    ['DATABASE_URL', 'postgres:leads'],
    ['DATABASE_URL', 'postgres://user:secret@host:no-port/leads'],
    ['DATABASE_URL', 'postgres://'],
    ['DATABASE_URL', 'postgres:///'],
    ['DATABASE_URL', 'postgres:///leads'],
    ['DATABASE_URL', 'postgres:///leads?host='],
    ['DATABASE_URL', 'postgres://user:secret@db.example.com'],
    ['DATABASE_URL', 'postgresql://db.example.com/'],
    ['DATABASE_URL', 'postgresql:///?host=/run/postgres'],
    ['DATABASE_URL', 'postgres://user:secret@db1,db2/leads?target_session_attrs=any'],
    ['METRICS_PORT', 'on'],
    ['METRICS_PORT', '8080'],
    ['PUBLIC_ORIGIN', 'www.example.com'],
    ['PUBLIC_ORIGIN', 'https://www.example.com/'],
    ['PUBLIC_ORIGIN', 'https://www.example.com/page'],
    ['PUBLIC_ORIGIN', 'https://WWW.example.com'],
    ['PUBLIC_ORIGIN', 'https://www.example.com:443'],
    ['PUBLIC_ORIGIN', 'https://user:secret@www.example.com'],
    ['PUBLIC_ORIGIN', ' https://www.example.com'],
    ['PUBLIC_ORIGIN', 'ftp://www.example.com'],
    ['PUBLIC_ORIGIN', 'file:///'],
    ['PUBLIC_ORIGIN', 'null'],
    ['PUBLIC_ORIGIN', '*'],
    ['PUBLIC_ORIGIN', 'https://a.example,https://b.example'],
    ['RATE_LIMIT', 'true'],
    ['RATE_LIMIT', '0'],
    ['RATE_LIMIT', 'OFF'],
    ['RATE_LIMIT', '10/minute'],
    ['RATE_LIMIT_SUBSCRIBE', '10'],
    ['RATE_LIMIT_SUBSCRIBE', '10/minute'],
    ['RATE_LIMIT_SUBSCRIBE', '10/minute 0/hour'],
    ['RATE_LIMIT_SUBSCRIBE', '0/minute 10/hour'],
    ['RATE_LIMIT_SUBSCRIBE', '-1/minute 10/hour'],
    ['RATE_LIMIT_SUBSCRIBE', '10/second 10/hour'],
    ['RATE_LIMIT_SUBSCRIBE', '60/hour 10/minute'],
    ['RATE_LIMIT_SUBSCRIBE', '10/minute  60/hour'],
    ['RATE_LIMIT_SUBSCRIBE', '1e3/minute 60/hour'],
    ['RATE_LIMIT_SUBSCRIBE', '10/minute 60/hour\n'],
    ['RATE_LIMIT_SUBSCRIBE', 'off'],
    ['RATE_LIMIT_CONTACT_US', '5 per minute'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', 'false'],
    ['TRUST_PROXY', '1'],
    ['TRUST_PROXY', 'loopback'],
    ['TRUST_PROXY', 'uniquelocal'],
    ['TRUST_PROXY', '*'],
    ['TRUST_PROXY', 'proxy.example.com'],
    ['TRUST_PROXY', '10.0.0.0/255.0.0.0'],
    ['TRUST_PROXY', '10.0.0.0/0'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.0/08'],
    ['TRUST_PROXY', '10.0.0.0/'],
    ['TRUST_PROXY', '10.0.0'],
    ['TRUST_PROXY', '010.0.0.1'],
    ['TRUST_PROXY', '0x0a000001'],
    ['TRUST_PROXY', '::/0'],
    ['TRUST_PROXY', '::1/129'],
    ['TRUST_PROXY', 'fe80::1%eth0'],
    ['TRUST_PROXY', '[::1]'],
    ['TRUST_PROXY', '10.0.0.1:80'],
    ['TRUST_PROXY', '10.0.0.1,'],
    ['TRUST_PROXY', '10.0.0.1,,10.0.0.2'],
    ['TRUST_PROXY', '10.0.0.1 10.0.0.2'],
    ['TRUST_PROXY', '10.0.0.1,true'],
    ['REVEAL_EXISTING', 'TRUE'],
    ['REVEAL_EXISTING', '1'],
    ['REVEAL_EXISTING', 'no'],
  ])('%s=%j', (name, value) => {
    const read = () => readConfiguration({ [name]: value })
    expect(read).toThrow(UserError)
    expect(read).toThrow(new RegExp(`^${name} must be [^\n]+\\.$`))
    expect(read).not.toThrow('secret')
  })
})

test('what TRUST_PROXY does not take is said: everybody, and nobody', () => {
  for (const value of ['0.0.0.0/0', '10.0.0.1,']) {
    expect(() => readConfiguration({ TRUST_PROXY: value })).toThrow(/without empty entries and without \/0/)
  }
})
