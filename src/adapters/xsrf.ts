import { readCookie, XSRF_COOKIE, XSRF_HEADER } from '../domain/cookies.ts'
import type { CookieJar } from '../domain/ports.ts'

/** Repeats the cookie as a header on calls that change something, to our own origin alone, unless the caller set one. */
export function addXsrfHeader(request: Request, origin: string, cookies: CookieJar): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (new URL(request.url).origin !== origin || request.headers.has(XSRF_HEADER)) return
  const token = readCookie(cookies.read(), XSRF_COOKIE)
  if (token === null) return
  try {
    request.headers.set(XSRF_HEADER, token)
  } catch {
    // No header can hold such a value: without it the backend decides, with an exception nobody could subscribe.
  }
}
