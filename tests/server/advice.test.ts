import { expect, test } from 'vitest'
import { codeOfAnswer, isRefusedPermanently, mailAdvice } from '../../server/mail/advice.ts'
import { databaseAdvice } from '../../server/storage/database-errors.ts'

// The first pattern that matches a code gives the advice. No pattern may hide the pattern of another code here.

const MAIL = `RCPT 451 for no. 2, STARTTLS 500, AUTH 454, AUTH 534 5.7.9, AUTH 535 5.7.139, AUTH 504, EAUTH, MAIL 530,
  RCPT 550 quota, RCPT 454 relay, CONN 554, EHLO 550, MAIL 550, RCPT 450, DATA 421, DATA 552, RCPT 550, DATA 554,
  ENOGREETING, ENOANSWER, EPROTO`
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
])('each code of $of has its own advice', ({ list, advice }) => {
  const codes = list.split(/,\s+/)
  const sameAs = (code: string) => codes.filter((other) => advice(other) === advice(code))
  expect(codes.map(sameAs)).toEqual(codes.map((code) => [code]))
})

// Answers as Postfix, Exim, Exchange, Microsoft 365, Google, Amazon and others send them.
test.each([
  ['RCPT 550-Verification failed for <web@example.com>\n550 Sender verify failed', 'NOTIFY_FROM must be', 'given up'],
  ['DATA 554 5.2.0 STOREDRV.Submission.Exception:SendAsDeniedException', 'NOTIFY_FROM must be', 'given up'],
  ['DATA 553 Relaying disallowed as web@example.com', 'NOTIFY_FROM must be', 'given up'],
  ['MAIL 450 4.1.8 <web@example.com>: Sender address rejected: Domain not found', 'NOTIFY_FROM must be', 'tried again'],
  ['DATA 550-5.4.5 Daily SMTP relay sending limit\n550 5.4.5 exceeded.', 'A quota, a mailbox', 'tried again'],
  ['DATA 550 Domain example.com has exceeded the max emails per hour.', 'A quota, a mailbox', 'tried again'],
  ['RCPT 554 5.7.1 <web@example.com>: Sender address rejected: quota exceeded', 'A quota, a mailbox', 'tried again'],
  ['MAIL 550 5.1.90 You have reached your daily limit for message recipients', 'A quota, a mailbox', 'tried again'],
  ['RCPT 550 5.2.1 The user is receiving mail at a high rate.', 'A quota, a mailbox', 'tried again'],
  ['RCPT 550 Mailbox is full', 'A quota, a mailbox', 'tried again'],
  ['RCPT 450 4.2.0 <desk@example.com>: Recipient address rejected: Greylisted', '(greylisting)', 'tried again'],
  ['CONN 421 4.7.0 Try again later, closing connection.', 'is busy', 'tried again'],
  ['RCPT 550 5.1.1 <sender@example.com>: Recipient address rejected: User unknown', 'check NOTIFY_TO', 'given up'],
  ['RCPT 553 sorry, not in my list of allowed rcpthosts (#5.7.1)', 'only after a login', 'given up'],
  ['MAIL 550-5.7.1 Invalid credentials for relay.\n550 5.7.1 The IP address', 'only after a login', 'given up'],
  ['RCPT 454 4.7.1 <desk@example.org>: Relay access denied', 'only after a login', 'tried again'],
  ['MAIL 530 5.7.57 SMTP; Client was not authenticated to send anonymous mail', 'requires a login', 'given up'],
  ['DATA 550 5.7.1 Part of the network of [192.0.2.1] is on our block list (S3150).', 'from this machine', 'given up'],
  ['DATA 550 5.7.708 Access denied, traffic not accepted from this IP.', 'from this machine', 'given up'],
  ['MAIL 550 5.7.25 No PTR record.', 'from this machine', 'given up'],
  ['RCPT 504 5.5.2 <web>: Helo command rejected: need fully-qualified hostname', 'in the greeting', 'given up'],
  ['MAIL 552 5.3.4 Message size exceeds fixed limit', 'too large', 'given up'],
  ['DATA 550-5.7.1 Likely unsolicited mail\n550 5.7.1 https://example.com/?p=SenderRateLimit', 'like spam', 'given up'],
  ['AUTH 504 5.7.4 Unrecognized authentication type', 'offers no login', 'tried again'],
  ['AUTH 550 5.7.30 Basic authentication is not supported for Client Submission.', 'offers no login', 'tried again'],
  ['AUTH 535-5.7.8 Username and Password not accepted.\n535 5.7.8', 'the user or password', 'tried again'],
])('the answer %s has the advice "%s", and is %s', (answer, advice, end) => {
  const [, command = '', response = ''] = /^(\w+) (.*)/s.exec(answer) ?? []
  const code = codeOfAnswer(command, response)
  expect(mailAdvice(code)).toContain(advice)
  expect(isRefusedPermanently(code) ? 'given up' : 'tried again').toBe(end)
})

test("the code of a mail server's answer contains no word of the answer", () => {
  const answer = '550-5.1.1 <visitor@example.com> Given Family\n550 5.1.1 unknown'
  expect(codeOfAnswer('RCPT', answer)).toBe('RCPT 550 5.1.1')
})
