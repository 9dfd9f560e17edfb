import { resolve } from 'node:path'

export type Configuration = {
  /** The SQLite file, absolute. */
  readonly databaseFile: string
  readonly port: number
  readonly host: string
}

/** Why the server can't start, in one line that tells what to do. */
export class StartError extends Error {}

/** Everything that the environment decides. An empty value counts as unset. Throws a StartError. */
export function readConfiguration(env: NodeJS.ProcessEnv): Configuration {
  return {
    databaseFile: readDatabaseFile(env.DATABASE_URL || 'sqlite:data/leads.db'),
    port: readPort(env.PORT || '8080'),
    host: env.HOST || '127.0.0.1',
  }
}

// `sqlite://name` is refused: elsewhere it means a relative path, read to the letter it is an absolute one.
const SQLITE_URL = /^sqlite:(?!\/\/[^/])(.+)$/su

// What other programs read as more than a path would quietly become the name of a file.
const NO_PATH = /^\s|\s$|[?\p{Cc}]|:memory:/u

function readDatabaseFile(url: string): string {
  const path = SQLITE_URL.exec(url)?.[1]
  if (path !== undefined && !NO_PATH.test(path)) return resolve(path)
  // What was set is not repeated: a database URL may hold a password.
  throw new StartError(
    'DATABASE_URL must be sqlite: and the path of a file, without ?, :memory: or white space around it, for example sqlite:data/leads.db or sqlite:/var/lib/leads/leads.db.',
  )
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new StartError(`PORT must be a whole number from 0 to 65535, not ${JSON.stringify(text)}.`)
}
