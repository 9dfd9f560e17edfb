import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isEmail } from '../../src/domain/email.ts'
import type { Settings } from '../setting-names.ts'
import { UserError } from '../user-error.ts'
import { codeOf } from './delivery.ts'

export type MailSettings = {
  readonly host: string
  readonly port: number
  /** Whether the connection starts with TLS. */
  readonly secure: boolean
  /** Certificates in PEM that have to sign the server's certificate; null uses Node's own list. */
  readonly ca: string | null
  readonly login: { readonly user: string; readonly pass: string } | null
  /** The name in EHLO. Mail servers refuse names without a dot. */
  readonly greetAs: string
  readonly from: string
  readonly to: readonly string[]
  /** The host of the page, which subjects end with; null if it is not set. */
  readonly site: string | null
}

/**
 * Reads the settings of mail, which are all set, and takes the host names of the page from its origin. Throws a
 * UserError that repeats no secret.
 */
export function readMailSettings(env: Settings, origin: string | null): MailSettings {
  const server = readSmtpUrl(env.NOTIFY_SMTP_URL ?? '')
  const from = readAddress('NOTIFY_FROM', env.NOTIFY_FROM ?? '', server.host)
  const { host: site, hostname } = origin === null ? { host: null, hostname: '' } : new URL(origin)
  return {
    ...server,
    ca: env.NOTIFY_SMTP_CA ? readCertificates(env.NOTIFY_SMTP_CA) : null,
    greetAs: HAS_A_DOMAIN.test(hostname) ? hostname : from.slice(from.indexOf('@') + 1),
    from,
    to: readAddresses('NOTIFY_TO', env.NOTIFY_TO ?? '', server.host),
    site,
  }
}

/** A name such as www.example.com, neither a short one nor an address of IP. */
const HAS_A_DOMAIN = /\.[a-z][^.]*$/

function readSmtpUrl(text: string) {
  const url = URL.canParse(text) ? new URL(text) : null
  const secure = url?.protocol === 'smtps:'
  // A query could set any option of the mail library, even to log every message.
  if (url?.hostname && (secure || url.protocol === 'smtp:') && /^\/?$/.test(url.pathname + url.search + url.hash)) {
    const pass = decoded(url.password)
    const user = decoded(url.username)
    if (pass !== null && user !== null && (user === '') === (pass === '')) {
      const host = url.hostname.replace(/^\[|\]$/g, '')
      return {
        host,
        port: Number(url.port) || (secure ? 465 : isThisMachine(host) ? 25 : 587),
        secure,
        login: user === '' ? null : { user, pass },
      }
    }
  }
  throw new UserError(
    'NOTIFY_SMTP_URL must be smtp:// or smtps:// and a host, with both a user and a password or neither, percent-encoded where needed, and without a path, for example smtps://user:password@mail.example.com.',
  )
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** An address; if the mail server is this machine, also a mailbox: 'root', 'root@localhost', 'root@' and its name. */
function readAddress(name: string, text: string, smtpHost: string, orMore = ''): string {
  if (isEmail(text)) return text
  const mailbox = text.includes('@') ? text : `${text}@localhost`
  if (!isEmail(`${mailbox}.localdomain`)) {
    throw new UserError(`${name} must be one email address without a name, for example leads@example.com${orMore}.`)
  }
  if (isThisMachine(smtpHost)) return mailbox
  throw new UserError(
    `${name} must be a whole address, for example leads@example.com: a mailbox of this machine gets mail only through smtp://localhost.`,
  )
}

const readAddresses = (name: string, text: string, smtpHost: string): string[] =>
  text.split(',').map((address) => readAddress(name, address.trim(), smtpHost, ', or several, separated by commas'))

/** Throws a UserError unless the file can be read and begins with a certificate. */
function readCertificates(file: string): string {
  try {
    const pem = readFileSync(file, 'utf8')
    new X509Certificate(pem)
    return pem
  } catch (error) {
    throw new UserError(
      `NOTIFY_SMTP_CA must be a file of certificates in PEM that the server can read, not ${JSON.stringify(file)} (${codeOf(error)}).`,
    )
  }
}

/** Whether a host or an address is the machine itself, so that nobody can listen on the way there. */
export const isThisMachine = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1]?)$/i.test(host)
