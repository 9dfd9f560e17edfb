import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readCookie } from '../../src/domain/cookies.ts'
import { sendProblem } from './problems.ts'
import { limitRates, type RateLimits } from './rate-limits.ts'

/** From whom the server takes calls, how many, and what it tells them. */
export type Guard = {
  /** Where visitors find the page; null is wherever a request says that it was sent. */
  readonly publicOrigin: string | null
  /** For each address; null is as many as come. */
  readonly rateLimits: RateLimits | null
  /** Addresses and CIDR ranges whose word is taken for who the client is. */
  readonly trustProxy: readonly string[]
  /** Whether the answer tells that an address was stored before. */
  readonly revealExisting: boolean
}

export type Refusal = 'cross-site' | 'rate-limit' | 'xsrf'

/** Puts every route of `api` behind the guard, and tells `refused` of each call that it turns away. */
export function guardApi(api: FastifyInstance, guard: Guard, refused: (reason: Refusal) => void): void {
  warnOfUntrustedProxy(api)
  refuseOtherSites(api, guard, refused)
  if (guard.rateLimits) limitRates(api, guard.rateLimits, () => refused('rate-limit'))
  requireXsrfToken(api, guard, refused)
}

/** Whether visitors come over https, as far as can be told. */
export const isHttps = ({ publicOrigin }: Guard, request?: FastifyRequest): boolean =>
  publicOrigin === null ? request?.protocol === 'https' : publicOrigin.startsWith('https:')

/** What a proxy that nobody configured sends all the same. None of them counts from a peer that is not trusted. */
const CLIENT_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip']

/** Tells, once, that visitors may all look like one; not who called: it may be a visitor. */
function warnOfUntrustedProxy(api: FastifyInstance) {
  let warned = false
  api.addHook('onRequest', async (request) => {
    // The addresses begin with the peer's own, and end with the first that is not trusted.
    if (warned || (request.ips?.length ?? 1) > 1) return
    const header = CLIENT_HEADERS.find((name) => request.headers[name])
    if (header === undefined) return
    warned = true
    request.log.warn(
      { header },
      'ignored the client address in a header: if the sender is your proxy, name its address in TRUST_PROXY and let it send X-Forwarded-For; until then its visitors share one rate limit',
    )
  })
}

const OTHER_SITE = {
  detail:
    'The request comes from another site. If it does not, set PUBLIC_ORIGIN to the origin at which visitors find the page.',
}

function refuseOtherSites(api: FastifyInstance, { publicOrigin }: Guard, refused: (reason: Refusal) => void) {
  // Neither header: not a browser, so nobody's cookies or network are borrowed.
  function isOurs({ headers, host }: FastifyRequest) {
    const site = headers['sec-fetch-site']
    if (site !== undefined) return site === 'same-origin'
    const { origin } = headers
    if (origin === undefined || publicOrigin !== null) return origin === undefined || origin === publicOrigin
    return ['http://', 'https://'].some((scheme) => origin === scheme + host.toLowerCase())
  }

  api.addHook('onRequest', async (request, reply) => {
    if (isOurs(request)) return
    refused('cross-site')
    return sendProblem(reply, 403, OTHER_SITE)
  })
}

const XSRF_COOKIE = 'XSRF-TOKEN'

function requireXsrfToken(api: FastifyInstance, guard: Guard, refused: (reason: Refusal) => void) {
  api.addHook('onRequest', async (request, reply) => {
    const tokens = readTokens(request)
    if (tokens.some((token) => token === request.headers['x-xsrf-token'])) return
    // The page has to read it: no HttpOnly.
    const cookie = `${XSRF_COOKIE}=${randomUUID()}; Path=/; SameSite=Strict`
    reply.header('set-cookie', isHttps(guard, request) ? `${cookie}; Secure` : cookie)
    if (tokens.length === 0) return
    refused('xsrf')
    return sendProblem(reply, 403)
  })
}

/** As the page reads them, an empty one is none; beside ours there may be one of a path that the page does not see. */
function readTokens({ headers: { cookie = '' } }: FastifyRequest): string[] {
  return cookie.split(';').flatMap((pair) => readCookie(pair.trim(), XSRF_COOKIE) || [])
}
