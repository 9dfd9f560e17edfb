import { readCookie, XSRF_COOKIE, XSRF_HEADER } from '../domain/cookies.ts'
import type { CookieJar } from '../domain/ports.ts'

/** Repeats the XSRF cookie as a header on calls to `origin` that change something, unless the caller set the header. */
export function addXsrfHeader(request: Request, origin: string, cookies: CookieJar): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (new URL(request.url).origin !== origin || request.headers.has(XSRF_HEADER)) return
  const token = readCookie(cookies.read(), XSRF_COOKIE)
  if (token === null) return
  try {
    request.headers.set(XSRF_HEADER, token)
  } catch {
    // A value that is not valid in a header is left out, and the backend decides: an exception would stop every call.
  }
}
