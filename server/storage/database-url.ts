import { resolve } from 'node:path'
import type { Settings } from '../setting-names.ts'
import { UserError } from '../user-error.ts'

export type DatabaseAddress =
  | { readonly kind: 'sqlite' /** An absolute path. */; readonly file: string }
  | { readonly kind: 'postgres' /** May hold a password. */; readonly url: string }

// `sqlite://name` is refused: elsewhere it means a relative path, while here it would mean the absolute one `//name`.
const SQLITE_URL = /^sqlite:(?!\/\/[^/])(.+)$/su

// Other programs read these as more than a path; here they would silently become part of a file's name.
const NOT_A_PATH = /^[\s~]|\s$|[?\p{Cc}]|:memory:/u

// A URL that names several hosts. A password may hold a comma or, as the driver reads it, an @.
const SEVERAL_HOSTS = /^postgres(?:ql)?:\/\/(?:(?:[^/?#]*@)?[^/?#@]*,[^/?#@]*(?:[/?#]|$)|.*[?&]host=[^&]*(?:,|%2c))/isu

/** Where the leads are stored. Throws a UserError. */
export const readDatabaseUrl = (env: Settings): DatabaseAddress =>
  parseDatabaseUrl('DATABASE_URL', env.DATABASE_URL || 'sqlite:data/leads.db')

/** Reads the value of the variable or option `settingName`. Throws a UserError. */
export function parseDatabaseUrl(settingName: string, url: string): DatabaseAddress {
  // The value is not repeated: a database URL may hold a password.
  const refuse = (requirement: string): never => {
    throw new UserError(`${settingName} must be ${requirement}.`)
  }
  const path = SQLITE_URL.exec(url)?.[1]
  if (path !== undefined && !NOT_A_PATH.test(path)) return { kind: 'sqlite', file: resolve(path) }
  if (SEVERAL_HOSTS.test(url)) {
    refuse(
      'the URL of one host, not of several: name the endpoint that leads to the primary, such as the address of a managed service, of Patroni with HAProxy, or a name in DNS',
    )
  }
  if (hasUnescapedPassword(url)) {
    refuse(
      'a URL in which / @ # ? and % of the password are percent-encoded: / is %2F, @ is %40, # is %23, ? is %3F, % is %25',
    )
  }
  if (namesHostAndDatabase(URL.parse(url))) return { kind: 'postgres', url }
  return refuse(
    'sqlite: and the path of a file, without ?, :memory: or surrounding white space, for example sqlite:data/leads.db or sqlite:/var/lib/leads/leads.db, or the URL of a PostgreSQL database, for example postgres://user@db.example.com/leads',
  )
}

/**
 * Whether the password seems to contain a character that ends the user and password of a URL, or its host: the rest
 * would be read as a host or a database.
 */
function hasUnescapedPassword(url: string): boolean {
  const [, authority = '', path = '', query = '', hash = ''] =
    /^postgres(?:ql)?:\/\/([^/?#]*)([^?#]*)([^#]*)(.*)$/isu.exec(url) ?? []
  const ats = authority.split('@').length - 1
  const isDecodable = !/%(?![\da-f]{2})/i.test(authority)
  return !isDecodable || ats > 1 || /@/.test(path + hash) || (query.includes('@') && (ats === 0 || path.length < 2))
}

/** Whether a URL names a database, and a host or the folder of a socket: without them the driver takes defaults. */
function namesHostAndDatabase(url: URL | null): boolean {
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2) return false
  return hostOf(url) !== ''
}

/** Host and port, or the socket's folder. */
const hostOf = ({ host, searchParams }: URL) => host || (searchParams.get('host') ?? '')

/** The address for people and logs, which never has a user or a password. */
export function redactedUrl(address: DatabaseAddress): string {
  if (address.kind === 'sqlite') return address.file
  const url = new URL(address.url)
  return `postgres://${hostOf(url)}${url.pathname}`
}
