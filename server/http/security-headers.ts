import type { FastifyRequest } from 'fastify'
import type { Settings } from '../settings.ts'

/** Whether visitors use https, as far as is known. */
export const isHttps = ({ PUBLIC_ORIGIN }: Settings, request: FastifyRequest): boolean =>
  PUBLIC_ORIGIN === null ? request.protocol === 'https' : PUBLIC_ORIGIN.startsWith('https:')

/** The content policy of an answer that is no page. */
export const NOTHING_ALLOWED = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The headers of every answer. Decision 18 says why two usual ones are left out. */
const ALWAYS = {
  'content-security-policy': NOTHING_ALLOWED,
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  // With no-referrer, browsers would send `Origin: null` even to the same site.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
}

const ON_HTTPS = { ...ALWAYS, 'strict-transport-security': 'max-age=63072000' }

/** The headers of an answer. */
export const securityHeaders = (settings: Settings, request: FastifyRequest) =>
  isHttps(settings, request) ? ON_HTTPS : ALWAYS
