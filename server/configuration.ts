import { isIP } from 'node:net'
import type { AccessPolicy } from './http/access.ts'
import type { RateLimit } from './http/rate-limits.ts'
import { publicOriginOf } from './public-origin.ts'
import type { Settings } from './setting-names.ts'
import { type DatabaseAddress, readDatabaseUrl } from './storage/database-url.ts'
import { UserError } from './user-error.ts'

export type Configuration = {
  readonly database: DatabaseAddress
  readonly port: number
  readonly host: string
  /** The TCP port that serves the metrics, on `metricsHost`; null if none does. */
  readonly metricsPort: number | null
  readonly metricsHost: string
  readonly access: AccessPolicy
}

/** An empty value counts as unset. Throws a UserError. */
export function readConfiguration(env: Settings): Configuration {
  const port = readPort('PORT', env.PORT || '8080')
  const metricsPort = env.METRICS_PORT ? readPort('METRICS_PORT', env.METRICS_PORT) : null
  if (metricsPort === port && port !== 0) throw new UserError(`METRICS_PORT must be another port than PORT, ${port}.`)
  return {
    database: readDatabaseUrl(env),
    port,
    host: env.HOST || '127.0.0.1',
    metricsPort,
    metricsHost: env.METRICS_HOST || '127.0.0.1',
    access: {
      publicOrigin: publicOriginOf(env),
      rateLimits: readChoice('RATE_LIMIT', env.RATE_LIMIT || 'on', 'on', 'off')
        ? {
            subscribe: readRateLimit('RATE_LIMIT_SUBSCRIBE', env.RATE_LIMIT_SUBSCRIBE || '10/minute 300/hour'),
            contactUs: readRateLimit('RATE_LIMIT_CONTACT_US', env.RATE_LIMIT_CONTACT_US || '5/minute 20/hour'),
          }
        : null,
      trustProxy: env.TRUST_PROXY ? env.TRUST_PROXY.split(',').map(readAddressRange) : [],
      revealExisting: readChoice('REVEAL_EXISTING', env.REVEAL_EXISTING || 'true', 'true', 'false'),
    },
  }
}

function readPort(name: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new UserError(`${name} must be a whole number from 0 to 65535, not ${JSON.stringify(text)}.`)
}

function readChoice(name: string, text: string, yes: string, no: string): boolean {
  if (text === yes || text === no) return text === yes
  throw new UserError(`${name} must be ${yes} or ${no}, not ${JSON.stringify(text)}.`)
}

function readRateLimit(name: string, text: string): RateLimit {
  const [, minute, hour] = /^([1-9]\d{0,5})\/minute ([1-9]\d{0,5})\/hour$/.exec(text) ?? []
  if (minute !== undefined && hour !== undefined) return { minute: Number(minute), hour: Number(hour) }
  throw new UserError(`${name} must be like "10/minute 60/hour", not ${JSON.stringify(text)}.`)
}

const PREFIX_BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

/** Stricter than the libraries: some forms that they accept trust every client, and some silently trust no proxy. */
function readAddressRange(text: string): string {
  const [range = '', address = '', prefix = '1'] = /^([^/%]+)(?:\/([1-9]\d{0,2}))?$/.exec(text.trim()) ?? []
  if (Number(prefix) <= (PREFIX_BITS[isIP(address)] ?? 0)) return range
  throw new UserError(
    'TRUST_PROXY must be IP addresses and CIDR ranges, separated by commas, without empty entries and without /0, which would trust every client, for example 127.0.0.1,10.0.0.0/8,fd00::/8.',
  )
}
