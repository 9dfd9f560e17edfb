import { UserError } from '../user-error.ts'

/** Fixed texts by a pattern of the error's code, or of its message where libraries give no code. */
const DESCRIPTIONS: readonly (readonly [RegExp, string])[] = [
  [/^(28P01|28000|SASL)/, 'It refuses the user or password of DATABASE_URL, or requires TLS: see pg_hba.conf.'],
  [/^3D000$/, 'The database that DATABASE_URL names does not exist: create it.'],
  [
    /^42501$/,
    'The role of DATABASE_URL may not do this: a server must own the database, and a role that only reads needs select on all tables.',
  ],
  [/^25006$/, 'It is read-only, perhaps a standby: DATABASE_URL must lead to the primary.'],
  [/^53300$/, 'It has too many connections: raise max_connections; each server uses up to 5.'],
  [/^55P03$/, 'Another program keeps its tables locked: end that program, then start again.'],
  [/^57014$/, 'It did not answer in time: look for load, and for locks on its tables.'],
  [
    /^(57P0|08|ECONNRESET|EPIPE|Connection terminated(?! due to connection timeout))/,
    'It is starting or stopping, or closed the connection.',
  ],
  [/^(53100|SQLITE_FULL|ENOSPC)/, 'Its disk is full: make room.'],
  [
    /^(ECONNREFUSED|ENOENT)$/,
    'Nothing listens at the host and port of DATABASE_URL, or a file named in it is missing.',
  ],
  [/^(ENOTFOUND|EAI_)/, "The host of DATABASE_URL can't be resolved: check its name, and DNS."],
  [
    /^(ETIMEDOUT|EHOSTUN|ENETUN|timeout|Query read timeout|Connection terminated due to connection timeout)/i,
    'It did not answer in time: check network and firewall, and its synchronous standby if it has one.',
  ],
  [/^The server does not support SSL/, 'It does not support TLS, but sslmode in DATABASE_URL requires it.'],
  [/CERT|SIGNATURE|TLS|SSL/, 'Its TLS certificate is not trusted, or is for another host: see sslrootcert.'],
  [
    /^SQLITE_READONLY_DBMOVED/,
    'Its file was moved, deleted or replaced: put it back, or stop the server, restore a backup, and start it.',
  ],
  [/^SQLITE_READONLY_ROLLBACK/, 'The server was killed during a write: start it first, because it repairs the file.'],
  [/^SQLITE_(BUSY|LOCKED)/, 'Another process keeps its file locked: stop that process.'],
  [/^(SQLITE_(READONLY|CANTOPEN|PERM)|EACCES|EROFS)/, 'This user may not write its file or folder.'],
  [/^SQLITE_IOERR/, 'Its disk failed to read or write.'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'Its file is damaged: restore a backup.'],
]

/** Describes an error of the database in fixed texts: an error's own message may name addresses, hosts and users. */
export function describeDatabaseError(error: unknown): string {
  if (error instanceof UserError) return error.message
  if (!(error instanceof Error)) return 'It does not answer.'
  return describeKnownError(error) ?? 'Unrecognised database error: see the log of the database.'
}

/** The fixed text for an error, or undefined if it has none. */
export function describeKnownError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message
  return DESCRIPTIONS.find(([known]) => known.test(code))?.[1]
}
