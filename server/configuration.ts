import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { Guard } from './http/access.ts'
import type { RateLimit } from './http/rate-limits.ts'
import { type Hosts, readHosts } from './storage/postgres-hosts.ts'

export type DatabaseAddress =
  | { readonly kind: 'sqlite' /** Absolute. */; readonly file: string }
  | { readonly kind: 'postgres' /** May hold a password. */; readonly hosts: Hosts }

export type Configuration = {
  readonly database: DatabaseAddress
  readonly port: number
  readonly host: string
  /** Where loopback serves the figures, or null for nowhere. */
  readonly metricsPort: number | null
  readonly guard: Guard
}

/** Why a program can't start, in one line that tells what to do. */
export class StartError extends Error {}

/** Everything that the environment decides. An empty value counts as unset. Throws a StartError. */
export function readConfiguration(env: NodeJS.ProcessEnv): Configuration {
  const port = readPort('PORT', env.PORT || '8080')
  const metricsPort = env.METRICS_PORT ? readPort('METRICS_PORT', env.METRICS_PORT) : null
  if (metricsPort === port && port !== 0) throw new StartError(`METRICS_PORT must be another port than PORT, ${port}.`)
  return {
    database: databaseOf(env),
    port,
    host: env.HOST || '127.0.0.1',
    metricsPort,
    guard: {
      publicOrigin: publicOriginOf(env),
      rateLimits: readChoice('RATE_LIMIT', env.RATE_LIMIT || 'on', 'on', 'off')
        ? {
            subscribe: readRateLimit('RATE_LIMIT_SUBSCRIBE', env.RATE_LIMIT_SUBSCRIBE || '10/minute 60/hour'),
            contactUs: readRateLimit('RATE_LIMIT_CONTACT_US', env.RATE_LIMIT_CONTACT_US || '5/minute 20/hour'),
          }
        : null,
      trustProxy: env.TRUST_PROXY ? env.TRUST_PROXY.split(',').map(readAddressRange) : [],
      revealExisting: readChoice('REVEAL_EXISTING', env.REVEAL_EXISTING || 'true', 'true', 'false'),
    },
  }
}

// `sqlite://name` is refused: elsewhere it means a relative path, read to the letter it is an absolute one.
const SQLITE_URL = /^sqlite:(?!\/\/[^/])(.+)$/su

// What other programs read as more than a path would quietly become the name of a file.
const NO_PATH = /^\s|\s$|[?\p{Cc}]|:memory:/u

/** Where the leads are. Throws a StartError. */
export const databaseOf = (env: NodeJS.ProcessEnv): DatabaseAddress =>
  readDatabase('DATABASE_URL', env.DATABASE_URL || 'sqlite:data/leads.db')

/** What the variable or option `name` says. Throws a StartError. */
export function readDatabase(name: string, url: string): DatabaseAddress {
  const path = SQLITE_URL.exec(url)?.[1]
  if (path !== undefined && !NO_PATH.test(path)) return { kind: 'sqlite', file: resolve(path) }
  const hosts = readHosts(url)
  if (hosts) return { kind: 'postgres', hosts }
  // What was set is not repeated: a database URL may hold a password.
  throw new StartError(
    `${name} must be sqlite: and the path of a file, without ?, :memory: or white space around it, for example sqlite:data/leads.db or sqlite:/var/lib/leads/leads.db, or the URL of a PostgreSQL database, for example postgres://user@db.example.com/leads, or with several hosts, postgres://user@db1.example.com,db2.example.com/leads?target_session_attrs=read-write.`,
  )
}

function readPort(name: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new StartError(`${name} must be a whole number from 0 to 65535, not ${JSON.stringify(text)}.`)
}

/** Where visitors find the page, or null where that is not set. Throws a StartError. */
export function publicOriginOf({ PUBLIC_ORIGIN: text }: NodeJS.ProcessEnv): string | null {
  if (!text) return null
  if (URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text) return text
  throw new StartError(
    'PUBLIC_ORIGIN must be the scheme and host under which browsers show the page, in lower case and without a path, for example https://www.example.com.',
  )
}

function readChoice(name: string, text: string, yes: string, no: string): boolean {
  if (text === yes || text === no) return text === yes
  throw new StartError(`${name} must be ${yes} or ${no}, not ${JSON.stringify(text)}.`)
}

function readRateLimit(name: string, text: string): RateLimit {
  const [, minute, hour] = /^([1-9]\d{0,5})\/minute ([1-9]\d{0,5})\/hour$/.exec(text) ?? []
  if (minute !== undefined && hour !== undefined) return { minute: Number(minute), hour: Number(hour) }
  throw new StartError(`${name} must be like "10/minute 60/hour", not ${JSON.stringify(text)}.`)
}

const PREFIX_BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

/** No other way to name proxies: some that libraries take trust everybody, some quietly nobody. */
function readAddressRange(text: string): string {
  const [range = '', address = '', prefix = '1'] = /^([^/%]+)(?:\/([1-9]\d{0,2}))?$/.exec(text.trim()) ?? []
  if (Number(prefix) <= (PREFIX_BITS[isIP(address)] ?? 0)) return range
  throw new StartError(
    'TRUST_PROXY must be IP addresses and CIDR ranges, separated by commas, none of them empty and none with /0, which is everybody, for example 127.0.0.1,10.0.0.0/8,fd00::/8.',
  )
}
