import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readCookie, XSRF_COOKIE, XSRF_HEADER } from '../../src/domain/cookies.ts'
import { sendProblem } from './problems.ts'
import { limitRates, type RateLimits } from './rate-limits.ts'

/** Whose calls the server accepts, how many, and what its answers reveal. */
export type AccessPolicy = {
  /** The origin at which visitors find the page. If it is null, that is the host of each request. */
  readonly publicOrigin: string | null
  /** How many calls an address may make; null is no limit. */
  readonly rateLimits: RateLimits | null
  /** Addresses and CIDR ranges of proxies that are trusted to name the client. */
  readonly trustProxy: readonly string[]
  /** Whether the answer reveals that an address was stored before. */
  readonly revealExisting: boolean
}

export type AccessRefusal = 'cross-site' | 'rate-limit' | 'xsrf'

/** Applies the policy to every route of `api`, and reports each refused call to `onRefused`. */
export function enforceAccess(
  api: FastifyInstance,
  policy: AccessPolicy,
  onRefused: (reason: AccessRefusal) => void,
): void {
  warnOfUntrustedProxy(api)
  refuseOtherSites(api, policy, onRefused)
  if (policy.rateLimits) limitRates(api, policy.rateLimits, () => onRefused('rate-limit'))
  requireXsrfToken(api, policy, onRefused)
}

/** Whether visitors use https, as far as is known. */
export const isHttps = ({ publicOrigin }: AccessPolicy, request?: FastifyRequest): boolean =>
  publicOrigin === null ? request?.protocol === 'https' : publicOrigin.startsWith('https:')

/** Headers in which proxies name the client. From a proxy outside TRUST_PROXY they are ignored, with a warning. */
const CLIENT_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip']

/** Warns once that all visitors may count as one. The sender's address is not logged, since it may be a visitor's. */
function warnOfUntrustedProxy(api: FastifyInstance) {
  let warned = false
  api.addHook('onRequest', async (request) => {
    // `ips` starts with the peer and ends with the first address that is not trusted.
    if (warned || (request.ips?.length ?? 1) > 1) return
    const header = CLIENT_HEADERS.find((name) => request.headers[name])
    if (header === undefined) return
    warned = true
    request.log.warn(
      { header },
      'ignored the client address in a header: if the sender is your proxy, add its address to TRUST_PROXY and have it send X-Forwarded-For; until then its visitors share one rate limit',
    )
  })
}

const OTHER_SITE = {
  detail:
    'The request comes from another site. If it does not, set PUBLIC_ORIGIN to the origin at which visitors find the page.',
}

function refuseOtherSites(
  api: FastifyInstance,
  { publicOrigin }: AccessPolicy,
  onRefused: (reason: AccessRefusal) => void,
) {
  // A client that sends neither header is no browser, so no visitor's cookies or network are misused.
  function isAllowed({ headers, host }: FastifyRequest) {
    const site = headers['sec-fetch-site']
    if (site !== undefined) return site === 'same-origin'
    const { origin } = headers
    if (origin === undefined || publicOrigin !== null) return origin === undefined || origin === publicOrigin
    return ['http://', 'https://'].some((scheme) => origin === scheme + host.toLowerCase())
  }

  api.addHook('onRequest', async (request, reply) => {
    if (isAllowed(request)) return
    onRefused('cross-site')
    return sendProblem(reply, 403, OTHER_SITE)
  })
}

function requireXsrfToken(api: FastifyInstance, policy: AccessPolicy, onRefused: (reason: AccessRefusal) => void) {
  api.addHook('onRequest', async (request, reply) => {
    const tokens = readTokens(request)
    if (tokens.some((token) => token === request.headers[XSRF_HEADER.toLowerCase()])) return
    // The cookie is not HttpOnly, because the page reads it.
    const cookie = `${XSRF_COOKIE}=${randomUUID()}; Path=/; SameSite=Strict`
    reply.header('set-cookie', isHttps(policy, request) ? `${cookie}; Secure` : cookie)
    if (tokens.length === 0) return
    onRefused('xsrf')
    return sendProblem(reply, 403)
  })
}

/** The tokens of the cookie as the page reads them: an empty one is none. Another path may have set a second one. */
function readTokens({ headers: { cookie = '' } }: FastifyRequest): string[] {
  return cookie.split(';').flatMap((pair) => readCookie(pair.trim(), XSRF_COOKIE) || [])
}
