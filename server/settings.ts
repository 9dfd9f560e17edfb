import { isIP } from 'node:net'
import { isEmail } from '../src/domain/email.ts'
import { readDatabaseUrl } from './storage/database-url.ts'
import { UserError } from './user-error.ts'

/** A setting of the environment: `help` completes 'NAME must be …', `read` returns undefined for a wrong value. */
type Setting<Value> = {
  readonly default: string
  readonly help: string
  readonly read: (text: string) => Value | undefined
}

const setting = <Value>(value: string, help: string, read: Setting<Value>['read']): Setting<Value> => ({
  default: value,
  help,
  read,
})

/** A setting that may be missing; then it is null. */
const optional = <Value>(help: string, read: Setting<Value>['read']) =>
  setting<Value | null>('', help, (text) => (text === '' ? null : read(text)))

const wholeNumber = (value: string, min: number, max: number) =>
  setting(value, `a whole number from ${min} to ${max}`, (text) =>
    /^\d{1,5}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined,
  )

const oneOf = (yes: string, no: string) => (text: string) => (text === yes || text === no ? text === yes : undefined)

const asItIs = (text: string) => text

const [PORT, DAYS] = [wholeNumber('8080', 0, 65_535), wholeNumber('', 1, 99_999)]
const ADDRESS = 'an address of this machine'
const LIMIT = 'like "10/minute 60/hour"'
const MAILBOX = 'without a name, for example leads@example.com'

/** Every setting. docs/configuration.md says what they do. */
export const SETTINGS = {
  PORT,
  HOST: setting('127.0.0.1', ADDRESS, asItIs),
  PUBLIC_ORIGIN: optional(
    'the scheme and host at which visitors find the page, in lower case and without a path, for example https://www.example.com',
    readOrigin,
  ),
  TRUST_PROXY: setting(
    '',
    'IP addresses and CIDR ranges, separated by commas, without /0, for example 127.0.0.1,10.0.0.0/8,fd00::/8',
    readAddressRanges,
  ),
  METRICS_PORT: optional(PORT.help, PORT.read),
  METRICS_HOST: setting('127.0.0.1', ADDRESS, asItIs),
  DATABASE_URL: setting(
    'sqlite:data/leads.db',
    'sqlite: and the path of a file, for example sqlite:/var/lib/leads/leads.db, or the URL of a PostgreSQL database, for example postgres://user@db.example.com/leads, in which / @ # ? and % of the password are written as %2F %40 %23 %3F %25',
    readDatabaseUrl,
  ),
  BACKUP_FOLDER: optional('a folder', asItIs),
  KEEP_BACKUPS: wholeNumber('30', 1, 99_999),
  KEEP_SUBSCRIBERS_DAYS: optional(DAYS.help, DAYS.read),
  KEEP_ENQUIRIES_DAYS: optional(DAYS.help, DAYS.read),
  RATE_LIMIT: setting('on', 'on or off', oneOf('on', 'off')),
  RATE_LIMIT_SUBSCRIBE: setting('60/minute 1000/hour', LIMIT, readRateLimit),
  RATE_LIMIT_CONTACT_US: setting('10/minute 60/hour', LIMIT, readRateLimit),
  REVEAL_EXISTING: setting('true', 'true or false', oneOf('true', 'false')),
  NOTIFY_SMTP_URL: optional(
    'smtp:// or smtps:// and a host, with both a user and a password or neither, percent-encoded where needed, for example smtps://user:password@mail.example.com',
    readSmtpUrl,
  ),
  NOTIFY_FROM: optional(`one email address ${MAILBOX}`, readAddress),
  NOTIFY_TO: optional(`email addresses, separated by commas, each ${MAILBOX}`, readAddresses),
  NOTIFY_FIRST_DELAY: wholeNumber('30', 1, 86_400),
} as const

type Name = keyof typeof SETTINGS

export type Settings = { readonly [Key in Name]: Exclude<ReturnType<(typeof SETTINGS)[Key]['read']>, undefined> }

/** All of them are set, or none. */
const MAIL: readonly Name[] = ['NOTIFY_SMTP_URL', 'NOTIFY_FROM', 'NOTIFY_TO']

/**
 * Reads all settings; an empty value counts as unset. Throws a UserError of one line, which repeats no value, because
 * a value may be a secret.
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  refuseMisspeltNames(env)
  const values = Object.entries(SETTINGS).map(([name, setting]) => [name, readValue(name, env[name] || '', setting)])
  // The compiler does not connect each name with the type of its value.
  const settings = Object.fromEntries(values) as Settings
  const missing = MAIL.filter((name) => settings[name] === null)
  if (missing.length > 0 && missing.length < MAIL.length) {
    throw new UserError(`${missing.join(' and ')} must be set too, or none of ${MAIL.join(', ')}.`)
  }
  return settings
}

function readValue(name: string, text: string, setting: Setting<unknown>): unknown {
  try {
    const value = setting.read(text || setting.default)
    if (value !== undefined) return value
  } catch (error) {
    // What a reader can't decode is a wrong value too.
    if (error instanceof UserError) throw error
  }
  const cause = text.startsWith('tcp://') ? ' Kubernetes has set it: switch enableServiceLinks off.' : ''
  throw new UserError(`${name} must be ${setting.help}.${cause}`)
}

const OURS = /^(NOTIFY|RATE|METRICS|TRUST|REVEAL|PUBLIC|KEEP|BACKUP)_|^DATABASE_UR.?$/

/** systemd sets the first, Kubernetes the others, for each service. */
const OF_OTHERS = /^NOTIFY_SOCKET$|_SERVICE_(HOST|PORT)|_PORT(_|$)/

function refuseMisspeltNames(env: NodeJS.ProcessEnv) {
  const unknown = Object.keys(env).find(
    (name) => env[name] && !Object.hasOwn(SETTINGS, name) && OURS.test(name) && !OF_OTHERS.test(name),
  )
  if (unknown) throw new UserError(`There is no setting ${unknown}. There are ${Object.keys(SETTINGS).join(', ')}.`)
}

/** Browsers write an origin in one way, for example a host with an umlaut in Punycode. */
function readOrigin(text: string) {
  const url = /^https?:/.test(text) ? URL.parse(text) : null
  if (url === null || url.href !== `${url.origin}/`) return undefined
  if (url.origin !== text) throw new UserError(`PUBLIC_ORIGIN must be written as ${url.origin}, as browsers do.`)
  return text
}

/** Stricter than the libraries: some forms that they accept trust every client, and some silently trust no proxy. */
function readAddressRanges(text: string) {
  const ranges = text === '' ? [] : text.split(',').map((range) => range.trim())
  const isRange = (range: string) => {
    const [address = '', bits = '1', ...rest] = range.split('/')
    const max = isIP(address) === 4 ? 32 : isIP(address) === 6 && !address.includes('%') ? 128 : 0
    return rest.length === 0 && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= max
  }
  return ranges.every(isRange) ? ranges : undefined
}

/** How many calls one address may make in a minute, and in an hour; both limits apply. */
export type RateLimit = { readonly minute: number; readonly hour: number }

function readRateLimit(text: string): RateLimit | undefined {
  const [, minute, hour] = /^([1-9]\d{0,5})\/minute ([1-9]\d{0,5})\/hour$/.exec(text) ?? []
  return minute && hour ? { minute: Number(minute), hour: Number(hour) } : undefined
}

function readSmtpUrl(text: string) {
  const url = URL.parse(text)
  // A query could set any option of the mail library, even to log every message.
  const isPlain = url?.hostname && /^smtps?:\/?$/.test(url.protocol + url.pathname + url.search + url.hash)
  if (!isPlain || (url.username === '') !== (url.password === '')) return undefined
  const secure = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    /** Whether the connection starts with TLS. */
    secure,
    login: url.username ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } : null,
  }
}

function readAddress(text: string) {
  return isEmail(text) ? text : undefined
}

function readAddresses(text: string) {
  const addresses = text.split(',').map((address) => address.trim())
  return addresses.every(isEmail) ? addresses : undefined
}
