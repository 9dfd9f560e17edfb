/** The headers of every answer. Decision 18 says why two usual ones are left out. */
const ALWAYS = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  // With no-referrer, browsers would send `Origin: null` even to the same site.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
}

const ON_HTTPS = { ...ALWAYS, 'strict-transport-security': 'max-age=63072000' }

/** The headers of every answer, for visitors over https or not. */
export const securityHeaders = (https: boolean): Record<string, string> => (https ? ON_HTTPS : ALWAYS)
