import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, inject, test, vi } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { createDatabase, query } from '../../scripts/postgres.ts'
import { UnusableDatabase } from '../../server/storage/database.ts'
import { describeDatabaseError } from '../../server/storage/database-errors.ts'
import { parseDatabaseUrl } from '../../server/storage/database-url.ts'
import { openDatabase } from '../../server/storage/open-database.ts'
import { lockDatabase } from '../support/server/build-test-app.ts'
import { makeDatabase } from '../support/server/databases.ts'
import { makeServerFolder } from '../support/server/server-process.ts'
import { WAIT_TIMEOUT } from '../support/timeouts.ts'

const sandbox = makeServerFolder()
afterAll(() => sandbox.remove())

/** What is said when a row can't be written to the database at `url`. */
async function faultOf(url: string): Promise<string> {
  try {
    const database = await openDatabase(parseDatabaseUrl('DATABASE_URL', url))
    const write = database.run((db) => db.insertInto('readiness').values({ id: 1, checked_at: '' }).execute())
    await write.finally(() => database.close())
    return 'none'
  } catch (error) {
    return describeDatabaseError(error)
  }
}

const changed = (url: string, parts: Partial<URL>) => Object.assign(new URL(url), parts).href

const shared = () => inject('postgresUrl')

/** A role that owns nothing. */
async function createRole(url: string) {
  const username = `role_${randomUUID().replaceAll('-', '')}`
  await query(url, `create role ${username} login password 'secret'`)
  return changed(url, { username, password: 'secret' })
}

const databaseName = (url: string) => new URL(url).pathname.slice(1)

describe('what is said when PostgreSQL can not be used', () => {
  test.each<[string, () => Promise<string> | string, RegExp]>([
    ['a wrong password', () => changed(shared(), { password: 'wrong' }), /user or password/],
    ['no password', () => changed(shared(), { password: '' }), /user or password/],
    ['no such user', () => changed(shared(), { username: 'nobody' }), /user or password/],
    ['no such database', () => changed(shared(), { pathname: 'none' }), /create it/],
    ['TLS that it does not speak', () => `${shared()}?sslmode=verify-full`, /does not support TLS.+sslmode/],
    ['a role that may make no tables', async () => createRole(await createDatabase(shared())), /role .+ may not/],
    ['a port that nobody listens on', async () => changed(shared(), { port: String(await freePort()) }), /listens/],
    ['a host without an address', () => changed(shared(), { hostname: 'no.such.host.invalid' }), /can't be resolved/],
  ])('%s', async (_, url, words) => {
    expect(await faultOf(await url())).toMatch(words)
  })

  test('a database that is read-only', async () => {
    const url = await createDatabase(shared())
    await query(shared(), `alter database ${databaseName(url)} set default_transaction_read_only = on`)
    expect(await faultOf(url)).toMatch(/read-only/)
  })

  test('no connection left', async () => {
    const url = await createDatabase(shared())
    await query(shared(), `alter database ${databaseName(url)} connection limit 0`)
    expect(await faultOf(await createRole(url))).toMatch(/too many connections/)
  })

  test.each(['LATIN1', 'SQL_ASCII'])(
    'a database in %s, which would fail the neighbours of a letter',
    async (encoding) => {
      const name = `leads_${randomUUID().replaceAll('-', '')}`
      await query(shared(), `create database ${name} encoding '${encoding}' locale 'C' template template0`)
      const url = changed(shared(), { pathname: name })
      expect(await faultOf(url)).toMatch(/encoding is not UTF8: create/)
      expect(await query(url, "select 1 from pg_tables where schemaname = 'public'")).toEqual([])
    },
  )
})

test.each([
  ['SQLITE_BUSY', /locked/],
  ['SQLITE_BUSY_SNAPSHOT', /locked/],
  ['SQLITE_FULL', /full/],
  ['SQLITE_READONLY', /may not write/],
  ['SQLITE_IOERR_WRITE', /disk failed/],
  ['SQLITE_CORRUPT', /damaged/],
  ['ETIMEDOUT', /in time/],
  ['EHOSTUNREACH', /in time/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /certificate/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /certificate/],
  ['22021', /Unrecognised/],
])('%s has words of its own, and nothing of the message', (code, words) => {
  const said = describeDatabaseError(Object.assign(new Error('of visitor@example.com at 192.0.2.1'), { code }))
  expect(said).toMatch(words)
  expect(said).not.toMatch(/visitor|192/)
})

test('an error without a code is never repeated, unless it is our own about the file', () => {
  expect(describeDatabaseError(new Error('visitor@example.com'))).toMatch(/Unrecognised/)
  expect(describeDatabaseError(new UnusableDatabase('The database file is read-only.'))).toBe(
    'The database file is read-only.',
  )
  expect(describeDatabaseError(new Error('timeout exceeded when trying to connect'))).toMatch(/in time/)
  expect(describeDatabaseError(null)).toBe('It does not answer.')
})

test('the start says why nothing can be stored, and repeats neither user nor password', async () => {
  const { url } = await makeDatabase('postgres')
  const server = await sandbox.start({ DATABASE_URL: changed(url, { username: 'somebody', password: 'secret' }) })
  const LINE = 'database unavailable; calls are answered 503 until it is back.'
  await vi.waitUntil(() => server.output().includes(LINE), { timeout: WAIT_TIMEOUT })
  expect(server.output()).toContain(`${LINE} It refuses the user or password of DATABASE_URL`)
  expect(server.output()).not.toMatch(/somebody|secret/)
})

test('what is refused later is logged with why', async () => {
  const server = await sandbox.start()
  const unlock = lockDatabase(sandbox.databaseFile)
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(503)
  unlock()
  expect(server.output()).toContain(
    'database unavailable; calls are answered 503 until it is back. Another process keeps its file',
  )
})
