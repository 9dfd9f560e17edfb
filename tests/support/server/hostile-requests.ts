import fc, { type Arbitrary } from 'fast-check'
import { MAX_LENGTH, validateEnquiry } from '../../../src/domain/enquiry.ts'
import { nearlyAddress, typedEnquiry } from '../typed-text.ts'

/** A POST that a client of any intent may send; whether it is acceptable is for others to judge. */
export type HostileRequest = {
  readonly operation: keyof typeof PATHS
  /** By their names in lower case, each value as HTTP can carry it. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Whether the headers call the body JSON in UTF-8, as it is. */
  readonly isCalledJson: boolean
}

export const PATHS = { subscribe: '/api/subscribe', contactUs: '/api/contact-us' } as const

const often = <Value>(common: Arbitrary<Value>, ...rare: Arbitrary<Value>[]) =>
  fc.oneof({ weight: 10 * rare.length, arbitrary: common }, ...rare.map((arbitrary) => ({ weight: 1, arbitrary })))

const oddText = fc.string({
  unit: fc.oneof(fc.string({ unit: 'binary', maxLength: 1 }), fc.constantFrom(' ', '\u00a0', '\n', '\u0000', '\ud800')),
  maxLength: 8,
})
const atBound = (limit: number) =>
  fc
    .tuple(fc.constantFrom('x', '名', '😀', '\u0301'), fc.integer({ min: limit - 1, max: limit + 1 }))
    .map(([character, length]) => character.repeat(length))
const text = (limit: number) => often(fc.constantFrom('Given', 'ñ ’名'), oddText, atBound(limit))

const odd = fc.jsonValue({ maxDepth: 2 })
const field = (value: Arbitrary<unknown>) => often(value, value, odd)
const email = field(often(fc.emailAddress(), nearlyAddress, nearlyAddress, oddText))

/** Names that an object has without being asked, and others that no contract would choose. */
const strangeName = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'then', '', 'Email', 'middle', 'a/b~c', '\ud800'),
  fc.string({ unit: 'binary' }),
)

function object(fields: Record<string, Arbitrary<unknown>>): Arbitrary<unknown> {
  const more = fc.dictionary(strangeName, odd, { minKeys: 1, maxKeys: 30, noNullPrototype: true })
  return often<unknown>(
    fc.record(fields),
    fc.record(fields, { requiredKeys: [] }),
    fc.tuple(fc.record(fields), more).map(([fields, more]) => ({ ...fields, ...more })),
  )
}

const name = object({ first: field(text(MAX_LENGTH.first)), last: field(text(MAX_LENGTH.last)) })
const enquiry = fc.oneof(
  object({ name: field(name), email, msg: field(text(MAX_LENGTH.message)) }),
  typedEnquiry.map((typed) => {
    const { first, last, email, message } = validateEnquiry(typed).enquiry
    return { name: { first, last }, email, msg: message }
  }),
)

/** A document as JSON, and what is nearly that. */
function jsonText(document: Arbitrary<unknown>): Arbitrary<string> {
  const json = document.map((value) => JSON.stringify(value))
  const more = fc.constantFrom('', ',', '"', '}', '\\', '\u0000', '/**/', '\ufeff')
  return often(
    json,
    json.map((json) => `\r\n\t ${json} `),
    json.map((json) => json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)),
    json.map((json) => `{"email":"first@example.com",${json.slice(1)}`),
    fc.tuple(json, fc.nat(), more).map(([json, at, more]) => json.slice(0, at % json.length) + more),
    fc.nat(30_000).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
    fc.constantFrom('', ' ', 'null', 'NaN', '1e999', "{'email':'a@b.co'}", 'email=a%40b.co'),
    odd.map((value) => JSON.stringify(value)),
  )
}

/** A text in UTF-8, and what is not, or is too long by a little or a lot. */
const encoded = (text: Arbitrary<string>) =>
  often<Buffer>(
    text.map((text) => Buffer.from(text)),
    text.map((text) => Buffer.from(text, 'latin1')),
    fc
      .tuple(text, fc.nat(), fc.constantFrom('ff', 'c080', 'eda080', 'f4908080'))
      .map(([text, at, hex]) => Buffer.from(text).fill(hex, at % (text.length + 1), undefined, 'hex')),
    fc
      .tuple(text, fc.constantFrom(65_535, 65_536, 65_537, 200_000))
      .map(([text, length]) => Buffer.from(text + ' '.repeat(Math.max(0, length - Buffer.byteLength(text))))),
  )

const JSON_TYPES = ['application/json', 'Application/JSON', 'application/json;charset=utf8;profile="a;b"']
const OTHER_TYPES = [
  ...['', 'text/json', 'text/plain', 'application/jsonx', 'application/json, text/plain', '__proto__', '*/*'],
  ...['application/json; charset=utf-16', 'application/json; charset=""', 'application/json/x'],
]
const CODINGS = ['identity', 'Identity', 'gzip', 'identity, gzip', 'constructor']
const bodyHeaders = often<Record<string, string>>(
  fc.constantFrom(...JSON_TYPES).map((type) => ({ 'content-type': type })),
  fc.constantFrom({}, ...OTHER_TYPES.map((type) => ({ 'content-type': type }))),
  fc.constantFrom(...CODINGS).map((coding) => ({ 'content-type': 'application/json', 'content-encoding': coding })),
)
const isCalledJson = (headers: Record<string, string>) =>
  JSON_TYPES.includes(headers['content-type'] ?? '') && /^(identity)?$/i.test(headers['content-encoding'] ?? '')

const headerText = fc.stringMatching(/^([!-~\xa1-\xff]([ -~\xa0-\xff]{0,30}[!-~\xa1-\xff])?)?$/)
// Few enough that several requests of a hundred share one.
const sharedKey = fc.constantFrom('0b9e5b0c-6f5d-4b7e-9d51-6d2f5a3f0c11', '0B9E5B0C-6F5D-4B7E-9D51-6D2F5A3F0C11')
const xsrfTokenAtBound = fc.integer({ min: 4095, max: 4097 }).map((length) => 'a'.repeat(length))
const otherHeaders = often<Readonly<Record<string, string>>>(
  fc.constant({}),
  fc.record({ 'idempotency-key': fc.oneof(fc.uuid(), sharedKey, sharedKey, headerText) }),
  fc.record({ 'x-xsrf-token': fc.oneof(headerText, xsrfTokenAtBound) }),
  fc.dictionary(fc.constantFrom('accept-encoding', 'x-forwarded-for', 'constructor', 'range'), headerText),
)

const requestTo = (operation: HostileRequest['operation'], document: Arbitrary<unknown>): Arbitrary<HostileRequest> =>
  fc.tuple(encoded(jsonText(document)), bodyHeaders, otherHeaders).map(([body, ours, others]) => ({
    operation,
    headers: { ...others, ...ours },
    body,
    isCalledJson: isCalledJson(ours),
  }))

/** Valid, nearly valid and far from it, to both operations; without what only browsers send. */
export const hostileRequest = fc.oneof(requestTo('subscribe', object({ email })), requestTo('contactUs', enquiry))
