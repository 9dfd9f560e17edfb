import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie, XSRF_COOKIE, XSRF_HEADER } from '../../src/domain/cookies.ts'
import { sendProblem } from './problems.ts'
import type { RateLimits } from './rate-limits.ts'

/** Which calls the server accepts, how many, and what its answers reveal. */
export type AccessPolicy = {
  /** The origin at which visitors find the page. If it is null, the host of each request counts. */
  readonly publicOrigin: string | null
  /** How many calls an address may make; null is no limit. */
  readonly rateLimits: RateLimits | null
  /** Addresses and CIDR ranges of proxies that are trusted to name the client. */
  readonly trustProxy: readonly string[]
  /** Whether the answer reveals that an address was stored before. */
  readonly revealExisting: boolean
}

/** Looks at a call before its body is read. Returns the reply if it has refused the call. */
export type Guard = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

/** Whether visitors use https, as far as is known. */
export const isHttps = ({ publicOrigin }: AccessPolicy, request: FastifyRequest): boolean =>
  publicOrigin === null ? request.protocol === 'https' : publicOrigin.startsWith('https:')

/** Headers in which proxies name the client. From a proxy outside TRUST_PROXY they are ignored, with a warning. */
const CLIENT_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip']

/** Warns once that all visitors may count as one client. It does not log the sender's address, perhaps a visitor's. */
export function warnOfUntrustedProxy(): Guard {
  let warned = false
  return (request) => {
    // `ips` starts with the peer and ends with the first address that is not trusted.
    if (warned || (request.ips?.length ?? 1) > 1) return undefined
    const header = CLIENT_HEADERS.find((name) => request.headers[name])
    if (header === undefined) return undefined
    warned = true
    request.log.warn(
      { header },
      'ignored the client address in a header: if the sender is your proxy, add its address to TRUST_PROXY and have it send X-Forwarded-For; until then its visitors share one rate limit',
    )
    return undefined
  }
}

const OTHER_SITE = {
  detail:
    'The request comes from another site. If it does not, set PUBLIC_ORIGIN to the origin at which visitors find the page.',
}

/** Answers 403 to calls that another site makes in a visitor's browser. */
export const refuseOtherSites =
  ({ publicOrigin }: AccessPolicy): Guard =>
  ({ headers, host }, reply) => {
    // A client that sends neither header is no browser, so no visitor's cookies or network are misused.
    const { origin, 'sec-fetch-site': site } = headers
    const ownOrigins = publicOrigin
      ? [publicOrigin]
      : ['http://', 'https://'].map((scheme) => scheme + host.toLowerCase())
    const isAllowed = site === undefined ? origin === undefined || ownOrigins.includes(origin) : site === 'same-origin'
    return isAllowed ? undefined : sendProblem(reply, 403, OTHER_SITE)
  }

/** Answers 403 to calls that do not repeat the token of their cookie. A call without the cookie gets one. */
export const requireXsrfToken =
  (policy: AccessPolicy): Guard =>
  (request, reply) => {
    const tokens = readTokens(request)
    if (tokens.some((token) => token === request.headers[XSRF_HEADER.toLowerCase()])) return undefined
    // The cookie is not HttpOnly, because the page reads it.
    const cookie = `${XSRF_COOKIE}=${randomUUID()}; Path=/; SameSite=Strict`
    reply.header('set-cookie', isHttps(policy, request) ? `${cookie}; Secure` : cookie)
    return tokens.length === 0 ? undefined : sendProblem(reply, 403)
  }

/** The tokens of the cookie as the page reads them, without empty ones. Another path may have set a second cookie. */
function readTokens({ headers: { cookie = '' } }: FastifyRequest): string[] {
  return cookie.split(';').flatMap((pair) => readCookie(pair.trim(), XSRF_COOKIE) || [])
}
