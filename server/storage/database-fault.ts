import { StartError } from '../configuration.ts'
import { UnusableDatabase } from './database.ts'

/** By the code of an error, else by its message: libraries give none to some. */
const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^(28P01|28000|SASL)/, 'It refuses the user or password of DATABASE_URL, or wants TLS: see pg_hba.conf.'],
  [/^3D000$/, 'It has no database of the name in DATABASE_URL: create it.'],
  [/^42501$/, 'The role of DATABASE_URL may not make or write tables: grant it the database and its schema.'],
  [/^25006$/, 'It is read-only, perhaps a standby: name the primary in DATABASE_URL, or all hosts.'],
  [/^53300$/, 'It has too many connections: raise max_connections; each server takes 5.'],
  [/^57014$/, 'It takes too long: see what else it does, and what locks its tables.'],
  [/^(57P0|08|ECONNRESET|EPIPE|Connection terminated)/, 'It is starting, stopping, or ended the connection.'],
  [/^(53100|SQLITE_FULL|ENOSPC)/, 'Its disk is full: make room.'],
  [
    /^(ECONNREFUSED|ENOENT)$/,
    'Nothing listens at the host and port of DATABASE_URL, or a file that it names is not there.',
  ],
  [/^(ENOTFOUND|EAI_)/, 'The host of DATABASE_URL has no address: see its name, and DNS.'],
  [
    /^(ETIMEDOUT|EHOSTUN|ENETUN|timeout|Query read timeout)/i,
    'It does not answer in time: see network, firewall, and its synchronous standby, if it waits for one.',
  ],
  [/^The server does not support SSL/, 'It speaks no TLS, but sslmode of DATABASE_URL wants it.'],
  [/CERT|SIGNATURE|TLS|SSL/, 'Its TLS certificate is not trusted, or of another host: see sslrootcert.'],
  [/^SQLITE_(BUSY|LOCKED)/, 'Another process keeps its file locked: end it.'],
  [/^(SQLITE_(READONLY|CANTOPEN|PERM)|EACCES|EROFS)/, 'Its file or folder may not be written by this user.'],
  [/^SQLITE_IOERR/, 'Its disk fails to read or write.'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'Its file is damaged: restore a backup.'],
]

/** What is wrong with the database, in fixed words: errors may name addresses, hosts and users. */
export function databaseFault(error: unknown): string {
  if (error instanceof StartError || error instanceof UnusableDatabase) return error.message
  if (!(error instanceof Error)) return 'It does not answer.'
  return knownFault(error) ?? 'It fails for a reason that is not known here: see the log of the database.'
}

/** The fixed words for an error, or undefined where there are none. */
export function knownFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const told = 'code' in error && typeof error.code === 'string' ? error.code : error.message
  return FAULTS.find(([known]) => known.test(told))?.[1]
}
