import type { FastifyRequest } from 'fastify'
import type { Settings } from '../settings.ts'

/** Whether visitors use https. Without PUBLIC_ORIGIN, this is a guess from the request. */
export const isHttps = ({ PUBLIC_ORIGIN }: Settings, request: FastifyRequest): boolean =>
  PUBLIC_ORIGIN === null ? request.protocol === 'https' : PUBLIC_ORIGIN.startsWith('https:')

/** The Content-Security-Policy of all answers except pages. */
export const CSP_ALLOW_NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The headers of every answer. Pages and files replace some of them. Decision 18 (docs/decisions) says why two common headers are left out. */
const ALWAYS = {
  'content-security-policy': CSP_ALLOW_NOTHING,
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  // With no-referrer, browsers would send `Origin: null` even to the same site.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
}

const ON_HTTPS = { ...ALWAYS, 'strict-transport-security': 'max-age=63072000' }

/** The security headers of an answer. On https they include HSTS. */
export const securityHeaders = (settings: Settings, request: FastifyRequest) =>
  isHttps(settings, request) ? ON_HTTPS : ALWAYS
