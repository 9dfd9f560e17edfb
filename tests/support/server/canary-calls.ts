import fc, { type Arbitrary } from 'fast-check'

/** Part of every text that a canary call carries, however it is decoded. */
export const CANARY = 'Zx81canary'

/** Network addresses in the headers of a canary call. */
export const CANARY_ADDRESSES = ['203.0.113.7', '2001:db8::7']

const token = fc.stringMatching(/^[\w-]{0,8}$/).map((around) => around + CANARY + around)
const text = fc.string({ unit: 'binary', maxLength: 8 }).map((around) => around + CANARY + around)
const email = token.map((token) => `${token}@example.com`)
const address = fc.constantFrom(...CANARY_ADDRESSES)

const enquiry = fc.record({ name: fc.record({ first: token, last: token }), email, msg: token })
const json = fc.oneof(fc.record({ email }), enquiry, fc.dictionary(text, text)).map((value) => JSON.stringify(value))
// Some too large, and so many that a few come with nothing else to refuse.
const tooLarge = token.map((token) => token.repeat(7000))
const body = fc.oneof({ weight: 7, arbitrary: json }, { weight: 2, arbitrary: text }, tooLarge)

const path = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('/api/subscribe', '/api/contact-us', '/', '/readyz') },
  fc.tuple(fc.constantFrom('/', '/api/', '/assets/', '/%zz'), token).map((parts) => parts.join('')),
)

// None of these keeps a call from being taken, each of the others may.
const harmless = fc.record<Record<string, string>>(
  {
    'user-agent': token,
    referer: email.map((email) => `http://example.com/?email=${email}`),
    authorization: token,
    'x-request-id': token,
    'x-forwarded-for': address,
    forwarded: address.map((address) => `for="[${address}]"`),
  },
  { requiredKeys: [] },
)
const harmful = fc.option(
  fc.oneof(
    token.map((token) => ({ 'content-type': `text/${token}` })),
    token.map((token) => ({ 'content-encoding': token })),
    token.map((token) => ({ cookie: `XSRF-TOKEN=${token}; GWW_AUTH_COOKIE=${token}`, 'x-xsrf-token': `${token}x` })),
    token.map((token) => ({ origin: `http://${token}.example`, 'idempotency-key': token })),
  ),
  { freq: 2 },
)

/** A call whose every part contains what no log may repeat. */
export const canaryCall = fc
  .record({
    method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'PUT', 'DELETE'),
    url: fc
      .tuple(path, fc.oneof(fc.constant(''), email))
      .map(([path, email]) => (email ? `${path}?email=${email}` : path)),
    headers: fc
      .tuple(harmless, harmful)
      .map((parts) => Object.assign({ 'content-type': 'application/json' }, ...parts) as Record<string, string>),
    body,
  })
  .map((call) => ({ ...call, body: Buffer.from(call.body) }))

export type CanaryCall = typeof canaryCall extends Arbitrary<infer Call> ? Call : never
