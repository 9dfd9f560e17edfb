import { resolve } from 'node:path'

export type DatabaseAddress =
  | { readonly kind: 'sqlite' /** An absolute path. */; readonly file: string }
  | { readonly kind: 'postgres' /** May hold a password. */; readonly url: string }

// `sqlite://name` is refused: elsewhere it means a relative path, while here it would mean the absolute one `//name`.
const SQLITE_URL = /^sqlite:(?!\/\/[^/]|\s|:memory:)([^?\p{Cc}]+)(?<!\s)$/u

/** Reads DATABASE_URL; undefined if it is neither of both. */
export function readDatabaseUrl(text: string): DatabaseAddress | undefined {
  const path = SQLITE_URL.exec(text)?.[1]
  if (path !== undefined) return { kind: 'sqlite', file: resolve(path) }
  const url = URL.parse(text)
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || hostOf(url) === '') return undefined
  // A password with an unescaped / # or ? would end up in the name of the database, which is shown.
  const isOnlyName = /^\/[^/@]+$/.test(url.pathname) && url.hash === '' && !url.search.includes('@')
  // The driver decodes the password: a stray % throws here rather than there.
  return isOnlyName && decodeURIComponent(url.password) !== undefined ? { kind: 'postgres', url: text } : undefined
}

/** Host and port, or the socket's folder. */
const hostOf = ({ host, searchParams }: URL) => host || (searchParams.get('host') ?? '')

/** The address for people and logs, which never has a user or a password. */
export function redactedUrl(address: DatabaseAddress): string {
  if (address.kind === 'sqlite') return address.file
  const url = new URL(address.url)
  return `postgres://${hostOf(url)}${url.pathname}`
}
