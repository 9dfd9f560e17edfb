// The times that depend on each other, in milliseconds. Whoever waits for an answer waits longer than it may take:
//   the page, 10 s  >  a call, RETRY_MS + ATTEMPT_MS = 7 s
// deploy/Caddyfile ends no call earlier: it waits 10 s for a server that starts, and 60 s for an answer.

/** For how long after its arrival a call is still stored: its commit is tried again and again until then. */
export const RETRY_MS = 5000

/** How long one attempt of a commit may take in all: a connection, the statements, and their commit. */
const ATTEMPT_MS = 2000

/** How long a statement waits for a lock. PostgreSQL then answers itself, so that the connection stays good. */
export const LOCK_MS = ATTEMPT_MS - 500

/** How long to wait for a connection, for an answer, and for a lock of PostgreSQL (0 is no limit) or of a SQLite file. */
export type Timeouts = Readonly<Record<'connectMs' | 'answerMs' | 'lockMs' | 'fileLockMs', number>>

/** A running server gives up soon, and tries again. While it waits for a file, it answers nobody. */
export const SERVER_TIMEOUTS: Timeouts = {
  connectMs: ATTEMPT_MS,
  answerMs: ATTEMPT_MS,
  lockMs: LOCK_MS,
  fileLockMs: 20,
}

/** A command waits, and so does a migration, which may rewrite a large table. */
export const COMMAND_TIMEOUTS: Timeouts = { connectMs: 10_000, answerMs: 30 * 60_000, lockMs: 0, fileLockMs: 30_000 }

/** A server ends this long after a signal, whatever still hangs. Docker kills it after 12 s (deploy/compose.yaml). */
export const STOP_MS = RETRY_MS + ATTEMPT_MS + 1500

// Mails: another server may send a mail again when its claim has ended. So the claim outlives an attempt, its record in
// the database, and clocks of servers that differ by a minute:
//   a claim  >  an attempt + a call + a minute

/** How long to wait for a connection to the mail server, its greeting, any other answer, and the end of an attempt. */
export type MailTimeouts = Readonly<Record<'connectMs' | 'greetingMs' | 'answerMs' | 'attemptMs', number>>

/** Some mail servers look up the client's name before they greet, and check a mail for spam before they accept it. */
export const MAIL_TIMEOUTS: MailTimeouts = {
  connectMs: 10_000,
  greetingMs: 30_000,
  answerMs: 120_000,
  attemptMs: 200_000,
}

/** How long a mail belongs to the server that sends it. */
export const CLAIM_MS = MAIL_TIMEOUTS.attemptMs + RETRY_MS + ATTEMPT_MS + 60_000
