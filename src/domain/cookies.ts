import type { CookieJar } from './ports.ts'
import { PROVIDER } from './provider.ts'
import { uriDecode } from './uri-decoding.ts'

/** The name of the auth cookie of a provider. Accents are removed, and what is no ASCII letter or digit becomes '_'. */
export const authCookieName = (provider: string): string =>
  `${provider
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '_')}_AUTH_COOKIE`

export const AUTH_COOKIE: string = authCookieName(PROVIDER)

/** The page repeats the value of this cookie in this header. Other sites can't do that, because they can't read the cookie. */
export const XSRF_COOKIE = 'XSRF-TOKEN'
export const XSRF_HEADER = 'X-XSRF-TOKEN'

/**
 * Returns the URI-decoded value of the cookie `name`, or null if there is no such cookie. `cookies` is the text of a
 * Cookie header or of `document.cookie`.
 */
export function readCookie(cookies: string, name: string): string | null {
  const prefix = `${encodeURIComponent(name)}=`
  const pair = cookies.split(/;\s*/).find((part) => part.startsWith(prefix))
  return pair === undefined ? null : uriDecode(pair.slice(prefix.length))
}

const DEFAULT_MINUTES = 30

/**
 * Sets a cookie that lives for `minutes`. Without a path, the browser takes the folder of the page's address. The
 * specification asks for this function and for `clearCookie`; the page does not call them yet.
 */
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

/** Deletes a cookie by an expiry in the past. `path` has to be the path that `setCookie` got for this cookie. */
export const clearCookie = (jar: CookieJar, name: string, path?: string): void =>
  setCookie(jar, name, '', { minutes: -1, ...(path && { path }) })
