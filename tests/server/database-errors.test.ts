import { expect, test } from 'vitest'
import { UnusableDatabase } from '../../server/storage/database.ts'
import { describeDatabaseError } from '../../server/storage/database-errors.ts'

test.each([
  ['42501', /role .+ may not/],
  ['25006', /read-only/],
  ['53300', /too many connections/],
  ['ENOTFOUND', /can't be resolved/],
  ['ETIMEDOUT', /in time/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /certificate/],
  ['SQLITE_READONLY', /may not write/],
  ['SQLITE_READONLY_DBMOVED', /put it back/],
  ['SQLITE_IOERR_WRITE', /disk failed/],
  ['SQLITE_CORRUPT', /damaged/],
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
