import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { UnusableDatabase } from '../../server/storage/database.ts'
import { describeDatabaseError } from '../../server/storage/database-errors.ts'
import { parseDatabaseUrl } from '../../server/storage/database-url.ts'
import { openDatabase } from '../../server/storage/open-database.ts'
import { ignoredLog } from '../support/ignored-events.ts'
import { query } from '../support/server/postgres.ts'

/** What is said when a row can't be written to the database at `url`. */
async function faultOf(url: string): Promise<string> {
  try {
    const database = await openDatabase(parseDatabaseUrl('DATABASE_URL', url), ignoredLog)
    const write = database.run((db) => db.insertInto('readiness').values({ id: 1, checked_at: '' }).execute())
    await write.finally(() => database.close())
    return 'none'
  } catch (error) {
    return describeDatabaseError(error)
  }
}

const shared = inject('postgresUrl')

const named = (pathname: string) => Object.assign(new URL(shared), { pathname }).href

/** A new database of another encoding. */
async function createIn(encoding: string) {
  const name = `leads_${randomUUID().replaceAll('-', '')}`
  await query(shared, `create database ${name} encoding '${encoding}' locale 'C' template template0`)
  return named(name)
}

test.each<[string, string | Promise<string>, RegExp]>([
  ['no such database', named('none'), /create it/],
  ['TLS that it does not speak', `${shared}?sslmode=verify-full`, /does not support TLS.+sslmode/],
  ['an encoding that would fail the neighbours of a letter', createIn('LATIN1'), /encoding is not UTF8: create/],
])('of PostgreSQL with %s is said what to do, without user and password', async (_, url, words) => {
  const said = await faultOf(await url)
  expect(said).toMatch(words)
  expect(said).not.toContain('tests')
})

test.each([
  ['42501', /role .+ may not/],
  ['25006', /read-only/],
  ['53300', /too many connections/],
  ['ENOTFOUND', /can't be resolved/],
  ['ETIMEDOUT', /in time/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /certificate/],
  ['SQLITE_BUSY_SNAPSHOT', /locked/],
  ['SQLITE_FULL', /full/],
  ['SQLITE_READONLY', /may not write/],
  ['SQLITE_IOERR_WRITE', /disk failed/],
  ['SQLITE_CORRUPT', /damaged/],
  ['22021', /Unrecognised/],
])('%s has words of its own, and nothing of the message', (code, words) => {
  const said = describeDatabaseError(Object.assign(new Error('of visitor@example.com at 192.0.2.1'), { code }))
  expect(said).toMatch(words)
  expect(said).not.toMatch(/visitor|192/)
})

test('an error without a code is never repeated, unless it is our own about the file', () => {
  expect(describeDatabaseError(new Error('visitor@example.com'))).toMatch(/Unrecognised/)
  expect(describeDatabaseError(new Error('timeout exceeded when trying to connect'))).toMatch(/in time/)
  expect(describeDatabaseError(new UnusableDatabase('It is read-only.'))).toBe('It is read-only.')
  expect(describeDatabaseError(null)).toBe('It does not answer.')
})
