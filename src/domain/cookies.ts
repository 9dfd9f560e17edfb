import type { CookieJar } from './ports.ts'
import { PROVIDER } from './provider.ts'
import { decodePercents } from './uri-decoding.ts'

/** The name of a provider's cookie. Of all signs only ASCII letters and digits are safe in it; accents are left out. */
export const authCookieOf = (provider: string): string =>
  `${provider
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '_')}_AUTH_COOKIE`

export const AUTH_COOKIE: string = authCookieOf(PROVIDER)

/** The page repeats the value of this cookie in this header. A page of another site can't do that. */
export const XSRF_COOKIE = 'XSRF-TOKEN'
export const XSRF_HEADER = 'X-XSRF-TOKEN'

/** The value of `name` in `cookies`, a Cookie header or `document.cookie`, URI-decoded where possible; or null. */
export function readCookie(cookies: string, name: string): string | null {
  const prefix = `${encodeURIComponent(name)}=`
  const pair = cookies.split(/;\s*/).find((part) => part.startsWith(prefix))
  return pair === undefined ? null : decodePercents(pair.slice(prefix.length))
}

const DEFAULT_MINUTES = 30

/** Sets a cookie that lives for `minutes`, as specified; no part of the page sets one yet. Without a path, the browser derives one from the page's address. */
export function setCookie(
  jar: CookieJar,
  name: string,
  value: string,
  { minutes = DEFAULT_MINUTES, path }: { readonly minutes?: number; readonly path?: string } = {},
): void {
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  const maxAge = `Max-Age=${Math.round(minutes * 60)}`
  jar.write([pair, maxAge, ...(path ? [`Path=${path}`] : []), 'SameSite=Lax'].join('; '))
}

/** Clears a cookie by an expiry in the past; `path` has to be the path with which the cookie was set. */
export const clearCookie = (jar: CookieJar, name: string, path?: string): void =>
  setCookie(jar, name, '', { minutes: -1, ...(path && { path }) })
