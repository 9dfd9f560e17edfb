import fc, { type Arbitrary } from 'fast-check'

/** Part of every text that a canary call carries, however it is decoded. */
export const CANARY = 'Zx81canary'

/** Network addresses in the headers of a canary call. */
export const CANARY_ADDRESSES = ['203.0.113.7', '2001:db8::7']

const marked = (around: Arbitrary<string>) =>
  fc.tuple(around, around).map(([before, after]) => `${before}${CANARY}${after}`)
const text = marked(fc.string({ unit: 'binary', maxLength: 8 }))
const token = marked(fc.stringMatching(/^[\w-]{0,8}$/))
const email = token.map((token) => `${token}@example.com`)
const address = fc.constantFrom(...CANARY_ADDRESSES)

const enquiry = fc.record({ name: fc.record({ first: token, last: token }), email, msg: token })
const json = fc.oneof(fc.record({ email }), enquiry, fc.dictionary(text, text)).map((value) => JSON.stringify(value))
const body = fc.oneof(
  { weight: 20, arbitrary: json },
  { weight: 5, arbitrary: text },
  // Too large, and so many that some come with nothing else to refuse.
  { weight: 3, arbitrary: token.map((token) => token.repeat(7000)) },
)

const known = fc.constantFrom('/api/subscribe', '/api/contact-us', '/api/subscribe', '/api/contact-us', '/', '/readyz')
const unknown = fc.constantFrom('/', '/api/', '/assets/', '/%zz', '/api/subscribe/')
const path = fc.oneof(
  { weight: 3, arbitrary: known },
  fc.tuple(unknown, token).map((parts) => parts.join('')),
)
const query = fc.oneof(
  fc.constant(''),
  email.map((email) => `?email=${email}`),
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
const harmful = fc.oneof(
  token.map((token) => ({ 'content-type': `text/${token}` })),
  token.map((token) => ({ 'content-encoding': token })),
  token.map((token) => ({ cookie: `XSRF-TOKEN=${token}; GWW_AUTH_COOKIE=${token}`, 'x-xsrf-token': `${token}x` })),
  token.map((token) => ({ origin: `http://${token}.example`, 'idempotency-key': token })),
)
const headers = fc
  .tuple(harmless, fc.oneof(fc.constant({}), harmful))
  .map(([harmless, harmful]) => ({ 'content-type': 'application/json', ...harmless, ...harmful }))

export type CanaryCall = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A call whose every part contains what no log may repeat. */
export const canaryCall: Arbitrary<CanaryCall> = fc
  .record({ method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'PUT', 'DELETE'), path, query, headers, body })
  .map(({ path, query, body, ...call }) => ({ ...call, url: path + query, body: Buffer.from(body) }))
