import { isIP } from 'node:net'
import { diff } from 'node:util'
import { isEmail } from '../src/domain/email.ts'
import { UserError } from './errors.ts'
import { readDatabaseUrl } from './storage/database-url.ts'

/** Returns the value of a setting, or undefined if the text is wrong. */
type Read<Value> = (text: string) => Value | undefined

/** A setting that may be missing; then it is null. */
const optional =
  <Value>(read: Read<Value>): Read<Value | null> =>
  (text) =>
    text === '' ? null : read(text)

const wholeNumber =
  (min: number, max: number): Read<number> =>
  (text) =>
    /^\d{1,5}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined

const yesOrNo = (yes: string, no: string) => (text: string) => (text === yes || text === no ? text === yes : undefined)

const asItIs = (text: string) => text

const readEmail = (text: string) => (isEmail(text) ? text : undefined)

const PORT = 'a whole number from 0 to 65535'
const COUNT = 'a whole number from 1 to 99999'
const HOST = 'an address of this machine'
const LIMIT = 'like "10/minute 60/hour"'
const AS_IN_BROWSERS = 'as browsers write them, for example https://www.example.com'
const ORIGIN = `the scheme and host at which visitors find the page, ${AS_IN_BROWSERS}`
const ORIGINS = `schemes and hosts, separated by blanks, ${AS_IN_BROWSERS}`
const LINK = 'a link without blanks and quotes, for example https://www.example.com/legal or mailto:desk@example.com'
const PROXIES =
  'IP addresses and CIDR ranges, separated by blanks, for example 127.0.0.1 10.0.0.0/8 fd00::/8. The range /0 is not allowed'
const DATABASE =
  'like sqlite:/var/lib/leads/leads.db or postgres://user:password@db.example.com/leads. In a password, write / @ # ? and % as %2F %40 %23 %3F and %25'
const MAIL_SERVER =
  'like smtp://mail.example.com or smtps://user:password@mail.example.com. Port 465 needs smtps://. Percent-encode user and password, or leave out both'
const WITHOUT_NAME = 'without a name, for example leads@example.com'
const SENDER = `one email address ${WITHOUT_NAME}`
const RECIPIENTS = `email addresses, separated by commas, each ${WITHOUT_NAME}`

/** `help` is the text after 'NAME must be'. docs/configuration.md explains the settings. */
export const SETTINGS = {
  PORT: { default: '8080', help: PORT, read: wholeNumber(0, 65_535) },
  HOST: { default: '127.0.0.1', help: HOST, read: asItIs },
  PUBLIC_ORIGIN: { default: '', help: ORIGIN, read: optional(readOrigin) },
  CONNECT_ORIGINS: { default: '', help: ORIGINS, read: readOrigins },
  SCRIPT_ORIGINS: { default: '', help: ORIGINS, read: readOrigins },
  PRIVACY_URL: { default: '', help: LINK, read: readLink },
  IMPRINT_URL: { default: '', help: LINK, read: readLink },
  CONTACT_URL: { default: '', help: LINK, read: readLink },
  TRUST_PROXY: { default: '', help: PROXIES, read: readIpRanges },
  METRICS_PORT: { default: '', help: PORT, read: optional(wholeNumber(0, 65_535)) },
  METRICS_HOST: { default: '127.0.0.1', help: HOST, read: asItIs },
  DATABASE_URL: { default: 'sqlite:data/leads.db', help: DATABASE, read: readDatabaseUrl },
  BACKUP_FOLDER: { default: '', help: 'a folder', read: optional(asItIs) },
  KEEP_BACKUPS: { default: '30', help: COUNT, read: wholeNumber(1, 99_999) },
  KEEP_SUBSCRIBERS_DAYS: { default: '', help: COUNT, read: optional(wholeNumber(1, 99_999)) },
  KEEP_ENQUIRIES_DAYS: { default: '', help: COUNT, read: optional(wholeNumber(1, 99_999)) },
  RATE_LIMIT: { default: 'on', help: 'on or off', read: yesOrNo('on', 'off') },
  RATE_LIMIT_SUBSCRIBE: { default: '60/minute 1000/hour', help: LIMIT, read: readRateLimit },
  RATE_LIMIT_CONTACT_US: { default: '10/minute 60/hour', help: LIMIT, read: readRateLimit },
  REVEAL_EXISTING: { default: 'true', help: 'true or false', read: yesOrNo('true', 'false') },
  NOTIFY_SMTP_URL: { default: '', help: MAIL_SERVER, read: optional(readSmtpUrl) },
  NOTIFY_FROM: { default: '', help: SENDER, read: optional(readEmail) },
  NOTIFY_TO: { default: '', help: RECIPIENTS, read: optional(readEmails) },
} as const

type Name = keyof typeof SETTINGS

export type Settings = { readonly [Key in Name]: Exclude<ReturnType<(typeof SETTINGS)[Key]['read']>, undefined> }

/** Either all of these settings are set, or none of them. */
const MAIL: readonly Name[] = ['NOTIFY_SMTP_URL', 'NOTIFY_FROM', 'NOTIFY_TO']

/**
 * Reads all settings; an empty value counts as unset. Throws a UserError of one line, which repeats no value, because
 * a value may be a secret.
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  // For a service named `metrics`, Kubernetes sets METRICS_PORT=tcp://10.0.0.1:80 in each container beside it.
  const isForThisServer = (name: string) => !(name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(env[name] ?? ''))
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => isForThisServer(name)))
  refuseMisspeltNames(own)
  const values = Object.entries(SETTINGS).map(([name, setting]) => [name, readValue(name, own[name] || '', setting)])
  // The compiler does not connect each name with the type of its value.
  const settings = Object.fromEntries(values) as Settings
  const missing = MAIL.filter((name) => settings[name] === null)
  if (missing.length > 0 && missing.length < MAIL.length) {
    throw new UserError(`${missing.join(' and ')} must be set too, or all of ${MAIL.join(', ')} must be empty.`)
  }
  if (settings.METRICS_PORT === settings.PORT && settings.PORT !== 0) {
    throw new UserError('METRICS_PORT must be another port than PORT.')
  }
  return settings
}

function readValue(name: string, text: string, setting: (typeof SETTINGS)[Name]) {
  try {
    const value = setting.read(text || setting.default)
    if (value !== undefined) return value
  } catch {
    // A value that can't be decoded is wrong too.
  }
  throw new UserError(`${name} must be ${setting.help}.`)
}

/** Refuses a name that is almost a setting: with one wrong letter, or with up to two missing or extra letters. */
function refuseMisspeltNames(env: NodeJS.ProcessEnv) {
  // PORT and HOST are too short: other programs have names like them.
  const names = Object.keys(SETTINGS).filter((name) => name.includes('_'))
  for (const unknown of Object.keys(env).filter((name) => env[name] && !Object.hasOwn(SETTINGS, name))) {
    const similar = names.filter((name) => Math.abs(name.length - unknown.length) <= 2)
    const meant = similar.find((name) => diff(unknown, name).filter(([sign]) => sign !== 0).length <= 2)
    if (meant) throw new UserError(`There is no setting ${unknown}. Did you mean ${meant}?`)
  }
}

/** An origin as browsers write it: in lower case, a host with an umlaut in Punycode, without the default port. */
function readOrigin(text: string) {
  return /^https?:[^,;]+$/.test(text) && URL.parse(text)?.origin === text ? text : undefined
}

function readOrigins(text: string) {
  const origins = text.split(/ +/).filter(Boolean)
  return origins.every(readOrigin) ? origins : undefined
}

function readLink(text: string) {
  if (/[\s"'`<>\\]|\p{C}/u.test(text)) return undefined
  const [, mailboxes] = /^mailto:(?!\/)([^?]*)/.exec(text) ?? []
  if (mailboxes !== undefined) return readEmails(decodeURIComponent(mailboxes)) && text
  // https://desk@example.com is refused, because mailto:desk@example.com is probably meant.
  const isWeb = /^https?:\/\/[^/?#@]+([/?#]|$)/.test(text) && URL.canParse(text)
  return text === '' || isWeb ? text : undefined
}

/** Refuses some texts that the libraries accept: they would trust every client, or silently trust no proxy. */
function readIpRanges(text: string) {
  const ranges = text.split(/ +/).filter(Boolean)
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
  // A query could set any option of the mail library, for example one that logs every message.
  const isPlain = url?.hostname && /^smtps?:\/?$/.test(url.protocol + url.pathname + url.search + url.hash)
  if (!isPlain || (url.username === '') !== (url.password === '')) return undefined
  const secure = url.protocol === 'smtps:'
  // Port 465 starts with TLS. With smtp:// the greeting would never come.
  if (!secure && url.port === '465') return undefined
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    /** Whether the connection starts with TLS. */
    secure,
    login: url.username ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } : null,
  }
}

function readEmails(text: string) {
  const addresses = text.split(',').map((address) => address.trim())
  return addresses.every(isEmail) ? addresses : undefined
}
