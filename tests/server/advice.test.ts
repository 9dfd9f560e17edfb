import { expect, test } from 'vitest'
import { mailAdvice } from '../../server/mail/advice.ts'
import { databaseAdvice } from '../../server/storage/database-errors.ts'

// The first pattern that matches gives the advice. After a change on purpose: npx vitest run -u tests/server/advice

const MAIL = [
  'RCPT 550 for some of NOTIFY_TO',
  'STARTTLS 500',
  'AUTH 454',
  'AUTH 534 5.7.9',
  'AUTH 535 5.7.139',
  'EAUTH',
]
  .concat('MAIL 530', 'RCPT 452', 'RCPT 450', 'DATA 421', 'DATA 552', 'CONN 554', 'EHLO 550', 'MAIL 550', 'RCPT 550')
  .concat('DATA 554', 'ECONNREFUSED', 'EDNS', 'ETIMEDOUT', 'CERT_HAS_EXPIRED', 'EPROTO', 'ECONNRESET')

const DATABASE = ['too many calls', '28P01', '3D000', '42501', '25006', '53300', '55P03', '57P01', '53100', 'ENOENT']
  .concat('57014', 'The server does not support SSL connections', 'SQLITE_READONLY_DBMOVED', 'SQLITE_READONLY_ROLLBACK')
  .concat('SQLITE_BUSY', 'SQLITE_CANTOPEN', 'SQLITE_IOERR_WRITE', 'SQLITE_NOTADB', 'ENOTFOUND', 'EHOSTUNREACH', 'XX000')

test('each code of a mail server has its advice', () => {
  expect(MAIL.map((code) => `${code}: ${mailAdvice(code)}`).join('\n')).toMatchInlineSnapshot(`
    "RCPT 550 for some of NOTIFY_TO: The mail server refuses a recipient: check NOTIFY_TO, and that it may relay for this machine or user.
    STARTTLS 500: The mail server can't start TLS, and without TLS no mail is sent: see its log, or try smtps://.
    AUTH 454: The mail server can't check the login now: mail is sent again by itself. If it lasts, see its log.
    AUTH 534 5.7.9: The mail server wants an app password (Google: Security, 2-Step Verification, App passwords).
    AUTH 535 5.7.139: Microsoft 365 has SMTP AUTH switched off: allow it for this mailbox and in the security defaults.
    EAUTH: The mail server rejects the user or password of NOTIFY_SMTP_URL.
    MAIL 530: The mail server requires a login first: NOTIFY_SMTP_URL needs a user and a password.
    RCPT 452: A disk or a mailbox is full there: mail is sent again by itself, once there is room.
    RCPT 450: The mail server puts mail off, as by greylisting: it is sent again by itself.
    DATA 421: The mail server is busy: mail is sent again by itself. If it lasts, see the log of that server.
    DATA 552: The mail is too large for the mail server, or a mailbox there is full.
    CONN 554: The mail server takes no mail from this machine: have it allow this machine, or use another server.
    EHLO 550: The mail server refuses the name in the greeting: the host of PUBLIC_ORIGIN, else the domain of NOTIFY_FROM.
    MAIL 550: The mail server refuses the sender: NOTIFY_FROM must be an address that may send there.
    RCPT 550: The mail server refuses a recipient: check NOTIFY_TO, and that it may relay for this machine or user.
    DATA 554: The mail server refuses the content: see its log; it may look like spam.
    ECONNREFUSED: Nothing listens at the host and port of NOTIFY_SMTP_URL: check both, and that it runs.
    EDNS: See the log of the mail server, or look up this code.
    ETIMEDOUT: No answer in time: check host, port, network and firewalls.
    CERT_HAS_EXPIRED: Its TLS certificate has expired, or is for another host, or needs NODE_EXTRA_CA_CERTS.
    EPROTO: The port does not begin with TLS: write smtp:// for smtps://, or take port 465.
    ECONNRESET: It closed the connection: check the port, and see its log."
  `)
})

test('each code of a database has its advice', () => {
  const advice = (code: string) => databaseAdvice(Object.assign(new Error(), { code }))
  expect(DATABASE.map((code) => `${code}: ${advice(code)}`).join('\n')).toMatchInlineSnapshot(`
    "too many calls: More calls came at once than it can store.
    28P01: It refuses the user or password of DATABASE_URL, or requires TLS: see pg_hba.conf.
    3D000: The database that DATABASE_URL names does not exist: create it.
    42501: The role of DATABASE_URL may not do this: a server must own the database, a reader needs select on all.
    25006: It is read-only, perhaps a standby: DATABASE_URL must lead to the primary.
    53300: It has too many connections: raise max_connections; each server uses up to 5.
    55P03: Another program keeps its tables locked: end that program.
    57P01: It is starting or stopping, or closed the connection.
    53100: Its disk is full: make room.
    ENOENT: A file or folder of DATABASE_URL is missing.
    57014: No answer in time: check load, network, standby.
    The server does not support SSL connections: It does not support TLS, but sslmode in DATABASE_URL requires it.
    SQLITE_READONLY_DBMOVED: Its file was moved, deleted or replaced: put it back, or restore a backup.
    SQLITE_READONLY_ROLLBACK: The server was killed during a write: start it first, because it repairs the file.
    SQLITE_BUSY: Another process keeps its file locked: stop that process.
    SQLITE_CANTOPEN: This user may not use its file or folder.
    SQLITE_IOERR_WRITE: Its disk failed to read or write.
    SQLITE_NOTADB: Its file is damaged: restore a backup.
    ENOTFOUND: The host of DATABASE_URL can't be resolved: check its name, and DNS.
    EHOSTUNREACH: The host of DATABASE_URL can't be reached: check its address, and the network.
    XX000: Unrecognised database error: see the log of the database."
  `)
})
