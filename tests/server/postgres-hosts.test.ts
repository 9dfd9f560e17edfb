import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, inject, onTestFinished, test } from 'vitest'
import { UnusableDatabase } from '../../server/storage/database.ts'
import { findWritable } from '../../server/storage/find-writable.ts'
import { readHosts } from '../../server/storage/postgres-hosts.ts'
import { CLOSED_PORT } from '../support/server/closed-port.ts'
import { createDatabase, query } from '../support/server/postgres.ts'

const IPS = ['[::1]:5432', '[fd00::2]', '192.0.2.1']

test.each<[url: string, urls: string[], mustWrite?: boolean]>([
  ['postgres://user@db/leads?target_session_attrs=any', ['postgres://user@db/leads?target_session_attrs=any'], false],
  ['postgres:///leads?host=/run/postgres', ['postgres:///leads?host=/run/postgres'], false],
  ['postgres://db/leads?target_session_attrs=read-write', ['postgres://db/leads?target_session_attrs=read-write']],
  ['postgresql://db/leads?target_session_attrs=primary', ['postgresql://db/leads?target_session_attrs=primary']],
  ['postgres://db1,db2:5433/leads', ['postgres://db1/leads', 'postgres://db2:5433/leads']],
  [`postgres://${IPS}/leads?sslmode=require`, IPS.map((host) => `postgres://${host}/leads?sslmode=require`)],
  ['postgres://%2Frun%2Fa,%2Frun%2Fb:5433/leads', ['postgres://%2Frun%2Fa/leads', 'postgres://%2Frun%2Fb:5433/leads']],
  ['postgres://user:a,b@c@db1,db2/leads', ['postgres://user:a,b@c@db1/leads', 'postgres://user:a,b@c@db2/leads']],
])('a URL is read as one of each host, in their order: %s', (url, urls, mustWrite = true) => {
  expect(readHosts(url)).toEqual({ urls, mustWrite })
})

test.each([
  'mysql://db1,db2/leads',
  'postgres://db1,/leads',
  'postgres://db1,db2',
  'postgres://db1:5432,db2:port/leads',
  'postgres://db1,db2/leads?host=db3',
  'postgres://db1,db2/leads?port=5432',
  'postgres:///leads?host=db1,db2',
  'postgres:///leads?host=',
  'postgres:///?host=/run/postgres',
  'postgres://db1,db2/leads?target_session_attrs=any',
  'postgres://db1/leads?target_session_attrs=standby',
])('and not guessed at: %s', (url) => {
  expect(readHosts(url)).toBeNull()
})

/** Takes connections and does with each what is said; by itself it never says a word. */
async function startHost(serve: Parameters<typeof createServer>[1] = () => {}) {
  const server = createServer((socket) => serve?.(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/leads`
}

const makeWritable = () => createDatabase(inject('postgresUrl'))

test('the first host that accepts writes is chosen; what is wrong with the others is told, without users and passwords', async () => {
  const readOnly = await makeWritable()
  const name = new URL(readOnly).pathname.slice(1)
  await query(readOnly, `alter database ${name} set default_transaction_read_only = on`)
  const faults: [url: string, words: RegExp][] = [
    [readOnly, /It is read-only/],
    [`postgres://user@127.0.0.1:${CLOSED_PORT}/leads`, /Nothing listens/],
    [await startHost(), /It did not answer in time/],
    [await startHost((socket) => socket.destroy()), /It is starting or stopping, or closed/],
    [await startHost((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')), /It /],
    [Object.assign(new URL(await makeWritable()), { password: 'wrong' }).href, /It refuses the user or password/],
    [Object.assign(new URL(await makeWritable()), { pathname: 'none' }).href, /create it/],
    [`${await makeWritable()}?sslmode=verify-full`, /does not support TLS.+sslmode/],
  ]
  const urls = faults.map(([url]) => url)
  const writable = await makeWritable()
  expect(await findWritable([...urls, writable, await makeWritable()], 1000)).toBe(writable)

  const error = await findWritable(urls, 1000).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(UnusableDatabase)
  const { message } = error as Error
  const [start, ...told] = message.split(/ (?=127\.0\.0\.1:\d+: )/)
  expect(start).toBe('No host of DATABASE_URL accepts writes.')
  expect(told).toEqual(faults.map(([, words]) => expect.stringMatching(words)))
  expect(message).not.toMatch(/user@|tests|wrong/)
})
