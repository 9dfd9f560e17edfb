import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { createDatabase, query } from '../../scripts/postgres.ts'
import { UnusableDatabase } from '../../server/storage/database.ts'
import { findWritable, readHosts } from '../../server/storage/postgres-hosts.ts'
import { CLOSED_PORT } from '../support/server/closed-port.ts'

describe('a URL of several hosts is read as one of each, in their order', () => {
  const READ_WRITE = '?target_session_attrs=read-write'

  test.each<[url: string, urls: string[], mustWrite?: boolean]>([
    ['postgres://user@db/leads', ['postgres://user@db/leads'], false],
    ['postgres://user@db/leads?target_session_attrs=any', ['postgres://user@db/leads?target_session_attrs=any'], false],
    ['postgres:///leads?host=/run/postgres', ['postgres:///leads?host=/run/postgres'], false],
    [`postgres://user@db/leads${READ_WRITE}`, [`postgres://user@db/leads${READ_WRITE}`]],
    [
      `postgres://user@db1:5432,db2:5433/leads${READ_WRITE}`,
      [`postgres://user@db1:5432/leads${READ_WRITE}`, `postgres://user@db2:5433/leads${READ_WRITE}`],
    ],
    [
      'postgresql://db1,db2:5433,db3/leads?target_session_attrs=primary',
      ['db1', 'db2:5433', 'db3'].map((host) => `postgresql://${host}/leads?target_session_attrs=primary`),
    ],
    ['postgres://db1,db2/leads', ['postgres://db1/leads', 'postgres://db2/leads']],
    [
      'postgres://user:secret@[::1]:5432,[fd00::2],192.0.2.1/leads?sslmode=verify-full',
      ['[::1]:5432', '[fd00::2]', '192.0.2.1'].map(
        (host) => `postgres://user:secret@${host}/leads?sslmode=verify-full`,
      ),
    ],
    [
      'postgres://%2Frun%2Fa,%2Frun%2Fb:5433/leads',
      ['postgres://%2Frun%2Fa/leads', 'postgres://%2Frun%2Fb:5433/leads'],
    ],
    ['postgres://user:a,b@c@db1,db2/leads', ['postgres://user:a,b@c@db1/leads', 'postgres://user:a,b@c@db2/leads']],
  ])('%s', (url, urls, mustWrite = true) => {
    expect(readHosts(url)).toEqual({ urls, mustWrite })
  })

  test.each([
    'mysql://db1,db2/leads',
    'postgres://db1,/leads',
    'postgres://,db2/leads',
    'postgres://db1,db2',
    'postgres://db1:5432,db2:port/leads',
    'postgres://db1,[::1/leads',
    'postgres://db1,db2/leads?host=db3',
    'postgres://db1,db2/leads?port=5432',
    'postgres:///leads?host=db1,db2',
    'postgres://db1/leads?port=5432,5433',
    'postgres://db1,db2/leads?target_session_attrs=any',
    'postgres://db1,db2/leads?target_session_attrs=prefer-standby',
    'postgres://db1/leads?target_session_attrs=standby',
  ])('and not guessed at: %s', (url) => {
    expect(readHosts(url)).toBeNull()
  })
})

describe('the first host that accepts writes is chosen', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close()
  })

  /** Takes connections, and does with each what is said; where that is nothing, it never says a word. */
  async function startHost(serve: Parameters<typeof createServer>[1] = () => {}) {
    const server = createServer((socket) => serve?.(socket.on('error', () => {}))).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    const address = server.address()
    return `postgres://user@127.0.0.1:${typeof address === 'object' ? address?.port : ''}/leads`
  }

  const writable = () => createDatabase(inject('postgresUrl'))

  async function readOnly() {
    const url = await writable()
    const name = new URL(url).pathname.slice(1)
    await query(inject('postgresUrl'), `alter database ${name} set default_transaction_read_only = on`)
    return url
  }

  const OTHERS: [what: string, url: () => Promise<string> | string, words: RegExp][] = [
    ['is read-only', readOnly, /^\S+: It is read-only/],
    ['listens to nobody', () => `postgres://user@127.0.0.1:${CLOSED_PORT}/leads`, /^127\.0\.0\.1:2: Nothing listens/],
    [
      'has no address',
      () => 'postgres://user@no.such.host.invalid/leads',
      /^no\.such\.host\.invalid: .+can't be resolved/,
    ],
    ['swallows what it gets', () => startHost(), /^\S+: It did not answer in time/],
    ['hangs up', () => startHost((socket) => socket.destroy()), /^\S+: It is starting or stopping, or closed/],
    ['speaks something else', () => startHost((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')), /^\S+: It /],
    [
      'refuses the password',
      async () => Object.assign(new URL(await writable()), { password: 'wrong' }).href,
      /^\S+: It refuses the user or password/,
    ],
    [
      'has no such database',
      () => Object.assign(new URL(inject('postgresUrl')), { pathname: 'none' }).href,
      /create it/,
    ],
    ['speaks no TLS', async () => `${await writable()}?sslmode=verify-full`, /does not support TLS/],
  ]

  test.each(OTHERS)('and one that %s is passed over', async (_, url) => {
    const last = await writable()
    expect(await findWritable([await url(), last], 1000)).toBe(last)
  })

  test('and the ones behind it are not asked', async () => {
    const first = await writable()
    let asked = 0
    const second = await startHost(() => {
      asked += 1
    })
    expect(await findWritable([first, second], 1000)).toBe(first)
    expect(asked).toBe(0)
  })

  test('and where there is none, what is wrong with each is told, without users and passwords', async () => {
    const urls = await Promise.all(OTHERS.map(([, url]) => url()))
    const error = await findWritable(urls, 1000).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(UnusableDatabase)
    const { message } = error as Error
    expect(message).toMatch(/^No host of DATABASE_URL accepts writes\. /)
    const faults = message.split(/ (?=\S+: It |\S+: Nothing |\S+: The )/).slice(1)
    for (const [i, [, , words]] of OTHERS.entries()) expect(faults[i]).toMatch(words)
    expect(message).not.toMatch(/user@|tests|wrong/)
  })
})
