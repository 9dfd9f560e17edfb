import { resolve } from 'node:path'

export type DatabaseAddress =
  | { readonly kind: 'sqlite' /** An absolute path. */; readonly file: string }
  | { readonly kind: 'postgres' /** May hold a password. */; readonly url: string }

// `sqlite://name` is refused. Other programs read it as the relative path `name`, and here it would be `//name`.
const SQLITE_URL = /^sqlite:(?!\/\/[^/]|\s|:memory:)([^?\p{Cc}]+)(?<!\s)$/u

/** Reads DATABASE_URL. Returns undefined if the text is neither a SQLite nor a PostgreSQL address. */
export function readDatabaseUrl(text: string): DatabaseAddress | undefined {
  const path = SQLITE_URL.exec(text)?.[1]
  if (path !== undefined) return { kind: 'sqlite', file: resolve(path) }
  const url = URL.parse(text)
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || hostOf(url) === '') return undefined
  // An unescaped / # or ? ends the password, and the rest would be shown as the name of the database.
  const isOnlyName = /^\/[^/@]+$/.test(url.pathname) && url.hash === '' && !url.search.includes('@')
  // A single % can't be decoded. It throws here, where the caller names the setting, and not later in the driver.
  return isOnlyName && decodeURIComponent(url.password) !== undefined ? { kind: 'postgres', url: text } : undefined
}

/** The host and port, or the folder of a Unix socket. */
const hostOf = ({ host, searchParams }: URL) => host || (searchParams.get('host') ?? '')

/** The address without user and password, for people and logs. */
export function redactedUrl(address: DatabaseAddress): string {
  if (address.kind === 'sqlite') return address.file
  const url = new URL(address.url)
  return `postgres://${hostOf(url)}${url.pathname}`
}
