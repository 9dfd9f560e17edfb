import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { readCookie, XSRF_COOKIE, XSRF_HEADER } from '../../src/domain/cookies.ts'
import type { Settings } from '../settings.ts'
import { ACCEPTED, type Guard, sendProblem } from './problems.ts'
import { isHttps } from './security-headers.ts'

const OTHER_SITE = {
  detail:
    'The request seems to come from another site. If it does not, set PUBLIC_ORIGIN to the origin at which visitors find the page.',
}

/** Answers 403 to calls that another site makes in a visitor's browser. */
export function refuseOtherSites({ PUBLIC_ORIGIN }: Settings): Guard {
  let isWarned = false
  return ({ headers, host, log }, reply) => {
    // Every browser sends one of these headers. A client without them is no browser, so it does not act for a visitor.
    const { origin, 'sec-fetch-site': site } = headers
    const ownOrigins = PUBLIC_ORIGIN
      ? [PUBLIC_ORIGIN]
      : ['http://', 'https://'].map((scheme) => scheme + host.toLowerCase())
    const isAllowed = site === undefined ? origin === undefined || ownOrigins.includes(origin) : site === 'same-origin'
    if (isAllowed) return ACCEPTED
    // Browsers send no `sec-fetch-site` over http, except to localhost. Then only the origin is compared with the host.
    // If a proxy changes the host, calls of our own page are refused.
    if (site === undefined && !isWarned && !PUBLIC_ORIGIN?.startsWith('https:')) {
      isWarned = true
      log.warn(
        'refused a call because it seems to come from another site. If every visitor sees an error, set PUBLIC_ORIGIN to the scheme and host at which visitors find the page',
      )
    }
    return sendProblem(reply, 403, OTHER_SITE)
  }
}

/**
 * Answers 403 to a call that changes something, if its header does not repeat the token of its cookie. A call without
 * the cookie is accepted, and its answer sets the cookie.
 */
export const requireXsrfToken =
  (settings: Settings): Guard =>
  (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD') return ACCEPTED
    const tokens = readTokens(request)
    if (tokens.some((token) => token === request.headers[XSRF_HEADER.toLowerCase()])) return ACCEPTED
    // The cookie is not HttpOnly, because the page reads it.
    const cookie = `${XSRF_COOKIE}=${randomUUID()}; Path=/; SameSite=Strict`
    reply.header('set-cookie', isHttps(settings, request) ? `${cookie}; Secure` : cookie)
    return tokens.length === 0 ? ACCEPTED : sendProblem(reply, 403)
  }

/** The tokens in the request's cookies, URI-decoded. There may be several: a browser can have one for each path. */
function readTokens({ headers: { cookie = '' } }: FastifyRequest): string[] {
  return cookie.split(';').flatMap((pair) => readCookie(pair.trim(), XSRF_COOKIE) || [])
}
