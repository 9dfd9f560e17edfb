import { expect, test } from 'vitest'
import { mailAdvice } from '../../server/mail/advice.ts'
import { databaseAdvice } from '../../server/storage/database-errors.ts'

// The first pattern that matches gives the advice: each code here has one of its own, unless another pattern covers it.

const MAIL = `RCPT 451 for no. 2, STARTTLS 500, AUTH 454, AUTH 534 5.7.9, AUTH 535 5.7.139, EAUTH, MAIL 530, RCPT 452,
  RCPT 450, DATA 421, DATA 552, CONN 554, EHLO 550, MAIL 550, RCPT 550, DATA 554, ENOGREETING, EPROTO`
const DATABASE = `too many calls, 28P01, 3D000, 42501, 25006, 53300, 55P03, 57P01, 53100, ENOENT, 57014, EPROTO,
  The server does not support SSL connections, SQLITE_READONLY_DBMOVED, SQLITE_READONLY_ROLLBACK, SQLITE_BUSY,
  SQLITE_CANTOPEN, SQLITE_CONSTRAINT_NOTNULL, SQLITE_IOERR_WRITE, SQLITE_NOTADB`
const CONNECTION = 'ECONNREFUSED, ENOTFOUND, EHOSTUNREACH, CERT_HAS_EXPIRED, ECONNRESET, unknown'

test.each([
  { of: 'a mail server', list: `${MAIL}, ${CONNECTION}, ETIMEDOUT`, advice: mailAdvice },
  {
    of: 'a database',
    list: `${DATABASE}, ${CONNECTION}`,
    advice: (code: string) => databaseAdvice(Object.assign(new Error(), { code })),
  },
])('each code of $of has an advice of its own', ({ list, advice }) => {
  const codes = list.split(/,\s+/)
  const sameAs = (code: string) => codes.filter((other) => advice(other) === advice(code))
  expect(codes.map(sameAs)).toEqual(codes.map((code) => [code]))
})
