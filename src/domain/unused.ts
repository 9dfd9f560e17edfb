// The specification asks for these functions; nothing on the page depends on them.
import type { CookieJar } from './ports.ts'

const DEFAULT_MINUTES = 30

/** Sets a cookie that lives for `minutes`. Without a path, the browser derives one from the page's address. */
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

/** Whether the names consist of letters, marks, spaces and usual punctuation. It runs, and refuses no name. */
export function hasCommonNameCharacters({ first, last }: { readonly first: string; readonly last: string }): boolean {
  return /^[\p{L}\p{M}\p{Zs}.'’·-]*$/u.test(first + last)
}
