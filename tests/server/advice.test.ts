import { expect, test } from 'vitest'
import { mailAdvice } from '../../server/mail/advice.ts'
import { databaseAdvice } from '../../server/storage/database-errors.ts'

// The first pattern that matches gives the advice: each code here has one of its own, unless another pattern covers it.

const MAIL = [
  'RCPT 451 for no. 2',
  'STARTTLS 500',
  'AUTH 454',
  'AUTH 534 5.7.9',
  'AUTH 535 5.7.139',
  'EAUTH',
  'MAIL 530',
]
  .concat('RCPT 452', 'RCPT 450', 'DATA 421', 'DATA 552', 'CONN 554', 'EHLO 550', 'MAIL 550', 'RCPT 550', 'DATA 554')
  .concat('ENOGREETING', 'EPROTO')
const DATABASE = ['too many calls', '28P01', '3D000', '42501', '25006', '53300', '55P03', '57P01', '53100', 'ENOENT']
  .concat('57014', 'The server does not support SSL connections', 'SQLITE_READONLY_DBMOVED', 'SQLITE_READONLY_ROLLBACK')
  .concat(
    'SQLITE_BUSY',
    'SQLITE_CANTOPEN',
    'SQLITE_CONSTRAINT_NOTNULL',
    'SQLITE_IOERR_WRITE',
    'SQLITE_NOTADB',
    'EPROTO',
  )
const CONNECTION = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'CERT_HAS_EXPIRED',
  'ECONNRESET',
  'unknown',
]

test.each([
  { of: 'a mail server', codes: [...MAIL, ...CONNECTION], advice: mailAdvice },
  {
    of: 'a database',
    codes: [...DATABASE, ...CONNECTION.filter((code) => code !== 'ETIMEDOUT')],
    advice: (code: string) => databaseAdvice(Object.assign(new Error(), { code })),
  },
])('each code of $of has an advice of its own', ({ codes, advice }) => {
  const sameAs = (code: string) => codes.filter((other) => advice(other) === advice(code))
  expect(codes.map(sameAs)).toEqual(codes.map((code) => [code]))
})
