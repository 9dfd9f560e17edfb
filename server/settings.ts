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

/** A setting with a default. */
const setting = <Value>(standard: string, help: string, read: Setting<Value>['read']): Setting<Value> => ({
  default: standard,
  help,
  read,
})

/** A setting that may be missing; then it is null. */
const optional = <Value>(help: string, read: Setting<Value>['read']): Setting<Value | null> => ({
  default: '',
  help,
  read: (text) => (text === '' ? null : read(text)),
})

const asItIs = (text: string) => text

const wholeNumber = (min: number, max: number) => (text: string) =>
  /^\d{1,5}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined

const oneOf = (yes: string, no: string) => (text: string) => (text === yes || text === no ? text === yes : undefined)

const LIMIT = 'like "10/minute 60/hour"'
const DAYS = 'a whole number of days from 1 to 99999'
const SECRET = 'a text of at least 16 bytes, or whsec_ and at least 16 bytes in base64'
const ADDRESS = 'without a name, for example leads@example.com, or a mailbox of this machine such as root'

/** Every setting. docs/configuration.md says what they do. */
export const SETTINGS = {
  PORT: setting('8080', 'a whole number from 0 to 65535', wholeNumber(0, 65_535)),
  HOST: setting('127.0.0.1', 'an address of this machine', asItIs),
  PUBLIC_ORIGIN: optional(
    'the scheme and host at which visitors find the page, in lower case and without a path, for example https://www.example.com',
    readOrigin,
  ),
  TRUST_PROXY: setting(
    '',
    'IP addresses and CIDR ranges, separated by commas, without /0, for example 127.0.0.1,10.0.0.0/8,fd00::/8',
    readAddressRanges,
  ),
  METRICS_PORT: optional('a whole number from 0 to 65535', wholeNumber(0, 65_535)),
  METRICS_HOST: setting('127.0.0.1', 'an address of this machine', asItIs),
  DATABASE_URL: setting(
    'sqlite:data/leads.db',
    'sqlite: and the path of a file, for example sqlite:/var/lib/leads/leads.db, or the URL of a PostgreSQL database, for example postgres://user@db.example.com/leads, in which / @ # ? and % of the password are written as %2F %40 %23 %3F %25',
    readDatabaseUrl,
  ),
  BACKUP_FOLDER: optional('a folder', asItIs),
  KEEP_BACKUPS: setting('30', 'a whole number from 1 to 99999', wholeNumber(1, 99_999)),
  KEEP_SUBSCRIBERS_DAYS: optional(DAYS, wholeNumber(1, 99_999)),
  KEEP_ENQUIRIES_DAYS: optional(DAYS, wholeNumber(1, 99_999)),
  RATE_LIMIT: setting('on', 'on or off', oneOf('on', 'off')),
  RATE_LIMIT_SUBSCRIBE: setting('60/minute 1000/hour', LIMIT, readRateLimit),
  RATE_LIMIT_CONTACT_US: setting('10/minute 60/hour', LIMIT, readRateLimit),
  REVEAL_EXISTING: setting('true', 'true or false', oneOf('true', 'false')),
  NOTIFY_SMTP_URL: optional(
    'smtp:// or smtps:// and a host, with both a user and a password or neither, percent-encoded where needed, for example smtps://user:password@mail.example.com',
    readSmtpUrl,
  ),
  NOTIFY_FROM: optional(`one email address ${ADDRESS}`, readMailbox),
  NOTIFY_TO: optional(`email addresses, separated by commas, each ${ADDRESS}`, readMailboxes),
  NOTIFY_FIRST_DELAY: setting('30', 'a whole number of seconds from 1 to 86400', wholeNumber(1, 86_400)),
  NOTIFY_WEBHOOK_URL: optional(
    'an https:// URL, or an http:// one of this machine such as http://127.0.0.1:3000, without a user or a password',
    readWebhookUrl,
  ),
  NOTIFY_WEBHOOK_SECRET: optional(SECRET, readSecret),
  NOTIFY_WEBHOOK_SECRET_OLD: optional(SECRET, readSecret),
} as const

type Name = keyof typeof SETTINGS

export type Settings = { readonly [Key in Name]: Exclude<ReturnType<(typeof SETTINGS)[Key]['read']>, undefined> }

/** Settings of which all are set, or none. */
const GROUPS: readonly (readonly Name[])[] = [
  ['NOTIFY_SMTP_URL', 'NOTIFY_FROM', 'NOTIFY_TO'],
  ['NOTIFY_WEBHOOK_URL', 'NOTIFY_WEBHOOK_SECRET'],
]

/**
 * Reads all settings; an empty value counts as unset. Throws a UserError of one line, which repeats no value, because
 * a value may be a secret.
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  refuseMisspeltNames(env)
  const values = Object.entries(SETTINGS).map(([name, setting]) => [name, readValue(name, env[name] || '', setting)])
  // The compiler does not connect each name with the type of its value.
  const settings = Object.fromEntries(values) as Settings
  for (const group of GROUPS) {
    const missing = group.filter((name) => settings[name] === null)
    if (missing.length > 0 && missing.length < group.length) {
      throw new UserError(`${missing.join(' and ')} must be set too, or none of ${group.join(', ')}.`)
    }
  }
  return settings
}

function readValue(name: string, text: string, { default: standard, help, read }: Setting<unknown>): unknown {
  try {
    const value = read(text || standard)
    if (value !== undefined) return value
  } catch {
    // What a reader can't decode is a wrong value too.
  }
  throw new UserError(`${name} must be ${help}.`)
}

/** Hosts set other names that begin with DATABASE_, for example DATABASE_PRIVATE_URL; systemd sets NOTIFY_SOCKET. */
const OURS = /^(NOTIFY_(?!SOCKET$)|RATE_|METRICS_|TRUST_|REVEAL_|PUBLIC_|KEEP_|BACKUP_|DATABASE_UR.?$)/

function refuseMisspeltNames(env: NodeJS.ProcessEnv) {
  const unknown = Object.keys(env).find((name) => OURS.test(name) && env[name] && !Object.hasOwn(SETTINGS, name))
  if (unknown) throw new UserError(`There is no setting ${unknown}. There are ${Object.keys(SETTINGS).join(', ')}.`)
}

function readOrigin(text: string) {
  return /^https?:/.test(text) && URL.parse(text)?.origin === text ? text : undefined
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
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: Number(url.port) || (secure ? 465 : isThisMachine(host) ? 25 : 587),
    /** Whether the connection starts with TLS. */
    secure,
    login: url.username ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } : null,
  }
}

/** An address, or a mailbox of this machine: 'root', 'root@localhost', 'root@' and its name. */
function readMailbox(text: string) {
  const mailbox = text.includes('@') ? text : `${text}@localhost`
  return isEmail(mailbox) || isEmail(`${mailbox}.localdomain`) ? mailbox : undefined
}

function readMailboxes(text: string) {
  const mailboxes = text.split(',').flatMap((part) => readMailbox(part.trim()) ?? [])
  return mailboxes.length === text.split(',').length ? mailboxes : undefined
}

/** Posts contain names and messages of visitors, so nobody on the way may read them. */
function readWebhookUrl(text: string) {
  const url = URL.parse(text)
  const isPrivate = url?.protocol === 'https:' || (url?.protocol === 'http:' && isThisMachine(url.hostname))
  return url && isPrivate && !url.username && !url.password ? url.href : undefined
}

function readSecret(text: string) {
  const encoded = /^whsec_(.*)$/s.exec(text)?.[1]
  const key = Buffer.from(encoded ?? text, encoded === undefined ? 'utf8' : 'base64')
  const isWhole = encoded === undefined || key.toString('base64') === encoded
  return isWhole && key.length >= 16 ? key : undefined
}

/** Whether a host or an address is the machine itself, so that nobody can listen on the way there. */
export function isThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[?::1]?)$/i.test(host)
}
