import { decodePercents } from './percents.ts'
import type { CookieJar } from './ports.ts'
import { PROVIDER } from './provider.ts'

export const AUTH_COOKIE = `${PROVIDER}_AUTH_COOKIE`

/** The page repeats the value of this cookie in this header. A page of another site can't do that. */
export const XSRF_COOKIE = 'XSRF-TOKEN'
export const XSRF_HEADER = 'X-XSRF-TOKEN'

const DEFAULT_MINUTES = 30

type CookieOptions = { readonly minutes?: number; readonly path?: string }

/** Sets a cookie that lives for `minutes`. Without a path, the browser derives one from the page's address. */
export function setCookie(
  jar: CookieJar,
  name: string,
  value: string,
  { minutes = DEFAULT_MINUTES, path }: CookieOptions = {},
): void {
  write(jar, name, value, `Max-Age=${Math.round(minutes * 60)}`, path)
}

/** Clears a cookie; `path` has to be the path with which the cookie was set. */
export function clearCookie(jar: CookieJar, name: string, path?: string): void {
  write(jar, name, '', 'Expires=Thu, 01 Jan 1970 00:00:00 GMT', path)
}

/** The value of `name` in `cookies`, a Cookie header or `document.cookie`, URI-decoded where possible; or null. */
export function readCookie(cookies: string, name: string): string | null {
  const prefix = `${encodeURIComponent(name)}=`
  const pair = cookies.split(/;\s*/).find((part) => part.startsWith(prefix))
  return pair === undefined ? null : decodePercents(pair.slice(prefix.length))
}

function write(jar: CookieJar, name: string, value: string, expiry: string, path?: string) {
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  jar.write([pair, expiry, ...(path ? [`Path=${path}`] : []), 'SameSite=Lax'].join('; '))
}
