type Headers = Readonly<Record<string, string>>

/** What every answer carries, the page's but with a policy of its own: nothing is loaded, framed, guessed or shared. */
const ALWAYS: Headers = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  // Not no-referrer: with that, browsers send `Origin: null` even to our own site.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
}

const ON_HTTPS: Headers = { ...ALWAYS, 'strict-transport-security': 'max-age=63072000' }

/** The whole table, by whether visitors come over https. */
export const securityHeaders = (https: boolean): Headers => (https ? ON_HTTPS : ALWAYS)
