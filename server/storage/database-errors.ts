import { type Advice, codeOf, connectionAdvice, findAdvice, UserError } from '../errors.ts'

/** The codes of a SQLite file whose content is broken. A disk that fails or has no locks has other codes. */
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB)/

export const isDamage = (error: unknown) => DAMAGE.test(codeOf(error))

/** What an operator should do, by the code of an error, or by its message where the library gives no code. */
const ADVICE: Advice = [
  [/^too many calls$/, 'More calls came at once than the database can store.'],
  [
    /^(28P01|28000|SASL)/,
    'The database refuses the user or password of DATABASE_URL, or requires TLS: see pg_hba.conf.',
  ],
  [/^3D000$/, 'The database that DATABASE_URL names does not exist: create it.'],
  [
    /^42501$/,
    'The role of DATABASE_URL may not do this: a server must own the database, a reader needs select on all.',
  ],
  [/^25006$/, 'The database is read-only, perhaps a standby: DATABASE_URL must lead to the primary.'],
  [/^53300$/, 'The database has too many connections: raise max_connections; each server uses up to 5.'],
  [/^55P03$/, 'Another program keeps tables of the database locked: end that program.'],
  [/^(57P0|08|Connection terminated unexp)/, 'The database is starting or stopping, or closed the connection.'],
  [/^(53100|SQLITE_FULL|ENOSPC)/, 'The disk of the database is full: make room.'],
  [/^ENOENT$/, 'A file or folder of DATABASE_URL is missing.'],
  [
    /^(57014|timeout|Query read timeout|Connection terminated due)/i,
    'The database did not answer in time: check its load, its standby and the network.',
  ],
  [/^The server does not support SSL/, 'The database does not support TLS, but sslmode in DATABASE_URL requires TLS.'],
  [
    /^SQLITE_READONLY_DBMOVED/,
    'The database file was moved, deleted or replaced: put it back, or restore a backup. Then restart the servers.',
  ],
  [
    /^SQLITE_READONLY_ROLLBACK/,
    'The server was killed during a write: start it again first, because its start repairs the file.',
  ],
  [
    /^SQLITE_(BUSY|LOCKED)/,
    'Another process keeps the database file locked: stop that process. If there is none, the disk has no locks, like some network shares: use a local disk.',
  ],
  [
    /^(SQLITE_(READONLY|CANTOPEN|PERM)|E(ACCES|ROFS|NOTDIR|ISDIR))/,
    'The database file or its folder is missing, or this user may not use it.',
  ],
  [
    /^(23502|SQLITE_CONSTRAINT_NOTNULL)$/,
    'A column without a default gets no value: give it one in server/storage/migrations.ts, or write it in store.ts.',
  ],
  [
    /^(SQLITE_(IOERR|PROTOCOL|NOLFS)|EIO|ESTALE)/,
    'The disk of the database fails to read, write or lock: check the disk, and use a local disk instead of a network share.',
  ],
  [DAMAGE, 'The database or backup is damaged: restore an undamaged backup.'],
  [
    /^(SQLITE_ERROR|42P01|42703)$/,
    'A table or column is missing: use a database that a server of this release has opened, or a backup of that database.',
  ],
  ...connectionAdvice('DATABASE_URL'),
]

/** Advice about an error of the database. The error's own message may name addresses, so the log never has it. */
export function databaseAdvice(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : `${error}`
  const text = code.replace(/^\w*Error: /, '')
  return findAdvice(ADVICE, text) ?? 'Unrecognised database error: see the log of the database.'
}

/** Why a command failed, and what to do. An error about a file has a path. */
export function explainError(error: unknown): string {
  if (error instanceof UserError) return error.message
  return error instanceof Error && 'path' in error
    ? `${codeOf(error)}: check that the folder of ${error.path} exists and can be written, and that its disk has room.`
    : `${codeOf(error)}: ${databaseAdvice(error)}`
}
