type Headers = Readonly<Record<string, string>>

/** Sent with every answer; the page replaces the content policy with its own. Two are left out (decision 17). */
const ALWAYS: Headers = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  // Not no-referrer: with it browsers send `Origin: null` even to the same site.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
}

const ON_HTTPS: Headers = { ...ALWAYS, 'strict-transport-security': 'max-age=63072000' }

/** All of them, for visitors over https or not. */
export const securityHeaders = (https: boolean): Headers => (https ? ON_HTTPS : ALWAYS)
