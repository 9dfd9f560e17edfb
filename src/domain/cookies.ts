import { decodePercents } from './percents.ts'
import { PROVIDER } from './provider.ts'

export const AUTH_COOKIE = `${PROVIDER}_AUTH_COOKIE`

/** The page repeats the value of this cookie in this header. A page of another site can't do that. */
export const XSRF_COOKIE = 'XSRF-TOKEN'
export const XSRF_HEADER = 'X-XSRF-TOKEN'

/** The value of `name` in `cookies`, a Cookie header or `document.cookie`, URI-decoded where possible; or null. */
export function readCookie(cookies: string, name: string): string | null {
  const prefix = `${encodeURIComponent(name)}=`
  const pair = cookies.split(/;\s*/).find((part) => part.startsWith(prefix))
  return pair === undefined ? null : decodePercents(pair.slice(prefix.length))
}
