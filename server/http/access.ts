import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { readCookie, XSRF_COOKIE, XSRF_HEADER } from '../../src/domain/cookies.ts'
import type { Settings } from '../settings.ts'
import { type Guard, sendProblem } from './problems.ts'

type Access = Pick<Settings, 'PUBLIC_ORIGIN'>

/** Whether visitors use https, as far as is known. */
export const isHttps = ({ PUBLIC_ORIGIN }: Access, request: FastifyRequest): boolean =>
  PUBLIC_ORIGIN === null ? request.protocol === 'https' : PUBLIC_ORIGIN.startsWith('https:')

/** Headers in which proxies name the client. From a proxy outside TRUST_PROXY they are ignored, with a warning. */
const CLIENT_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip']

/** Warns once that all visitors may count as one client. It does not log the sender's address, perhaps a visitor's. */
export function warnOfUntrustedProxy(): Guard {
  let hasWarned = false
  return (request) => {
    // `ips` starts with the peer and ends with the first address that is not trusted.
    const isPeerTrusted = (request.ips?.length ?? 1) > 1
    if (hasWarned || isPeerTrusted || !CLIENT_HEADERS.some((name) => request.headers[name])) return undefined
    hasWarned = true
    request.log.warn('ignored the client address in a header: if your proxy sent it, name the proxy in TRUST_PROXY')
    return undefined
  }
}

const OTHER_SITE = {
  detail:
    'The request comes from another site. If it does not, set PUBLIC_ORIGIN to the origin at which visitors find the page.',
}

/** Answers 403 to calls that another site makes in a visitor's browser. */
export const refuseOtherSites =
  ({ PUBLIC_ORIGIN }: Access): Guard =>
  ({ headers, host }, reply) => {
    // A client that sends neither header is no browser, so no visitor's cookies or network are misused.
    const { origin, 'sec-fetch-site': site } = headers
    const ownOrigins = PUBLIC_ORIGIN
      ? [PUBLIC_ORIGIN]
      : ['http://', 'https://'].map((scheme) => scheme + host.toLowerCase())
    const isAllowed = site === undefined ? origin === undefined || ownOrigins.includes(origin) : site === 'same-origin'
    return isAllowed ? undefined : sendProblem(reply, 403, OTHER_SITE)
  }

/** Answers 403 to calls that do not repeat the token of their cookie. A call without the cookie gets one. */
export const requireXsrfToken =
  (access: Access): Guard =>
  (request, reply) => {
    const tokens = readTokens(request)
    if (tokens.some((token) => token === request.headers[XSRF_HEADER.toLowerCase()])) return undefined
    // The cookie is not HttpOnly, because the page reads it.
    const cookie = `${XSRF_COOKIE}=${randomUUID()}; Path=/; SameSite=Strict`
    reply.header('set-cookie', isHttps(access, request) ? `${cookie}; Secure` : cookie)
    return tokens.length === 0 ? undefined : sendProblem(reply, 403)
  }

/** The tokens of the cookie as the page reads them, without empty ones. Another path may have set a second cookie. */
function readTokens({ headers: { cookie = '' } }: FastifyRequest): string[] {
  return cookie.split(';').flatMap((pair) => readCookie(pair.trim(), XSRF_COOKIE) || [])
}
