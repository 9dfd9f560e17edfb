import { resolve } from 'node:path'

export type DatabaseLocation =
  | { readonly kind: 'sqlite' /** An absolute path. */; readonly file: string }
  | { readonly kind: 'postgres' /** May hold a password. */; readonly url: string }

// `sqlite://name` is refused, because its meaning is not clear: other programs read it as the relative path `name`.
const SQLITE_URL = /^sqlite:(?!\/\/[^/]|\s|:memory:)([^?\p{Cc}]+)(?<!\s)$/u

/** Reads DATABASE_URL. Returns undefined, or throws, if the text is no usable address of SQLite or PostgreSQL. */
export function readDatabaseUrl(text: string): DatabaseLocation | undefined {
  const path = SQLITE_URL.exec(text)?.[1]
  if (path !== undefined) return { kind: 'sqlite', file: resolve(path) }
  const url = URL.parse(text)
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || hostOf(url) === '') return undefined
  // If the password has an unescaped / # or ?, the rest of it would be in these parts, and logs would show it.
  const pathIsDatabaseName = /^\/[^/@]+$/.test(url.pathname) && url.hash === '' && !url.search.includes('@')
  // A % alone makes decodeURIComponent throw. The caller then names the setting, which the driver would not do later.
  return pathIsDatabaseName && decodeURIComponent(url.password) !== undefined
    ? { kind: 'postgres', url: text }
    : undefined
}

/** The host and port, or the folder of a Unix socket. */
const hostOf = ({ host, searchParams }: URL) => host || (searchParams.get('host') ?? '')

/** The address without user and password, for people and logs. */
export function withoutPassword(address: DatabaseLocation): string {
  if (address.kind === 'sqlite') return address.file
  const url = new URL(address.url)
  return `postgres://${hostOf(url)}${url.pathname}`
}
