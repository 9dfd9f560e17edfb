import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfiguration, StartError } from '../../server/configuration.ts'

const DEFAULTS = { databaseFile: resolve('data/leads.db'), port: 8080, host: '127.0.0.1' }

test.each([
  [{}, {}],
  [{ DATABASE_URL: '', PORT: '', HOST: '' }, {}],
  [{ DATABASE_URL: 'sqlite:other.db' }, { databaseFile: resolve('other.db') }],
  [{ DATABASE_URL: 'sqlite:/var/lib/leads.db' }, { databaseFile: '/var/lib/leads.db' }],
  [{ DATABASE_URL: 'sqlite:///var/lib/leads.db' }, { databaseFile: '/var/lib/leads.db' }],
  [{ DATABASE_URL: 'sqlite:my leads#1.db' }, { databaseFile: resolve('my leads#1.db') }],
  [{ PORT: '0' }, { port: 0 }],
  [
    { PORT: '65535', HOST: '::1' },
    { port: 65_535, host: '::1' },
  ],
])('%j', (env, expected) => {
  expect(readConfiguration(env)).toEqual({ ...DEFAULTS, ...expected })
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
    ['DATABASE_URL', 'postgres://user:secret@localhost/leads'],
  ])('%s=%j', (name, value) => {
    const read = () => readConfiguration({ [name]: value })
    expect(read).toThrow(StartError)
    expect(read).toThrow(new RegExp(`^${name} must be [^\n]+\\.$`))
    expect(read).not.toThrow('secret')
  })
})
