import { gzipSync } from 'node:zlib'
import fc, { type Arbitrary } from 'fast-check'
import { MAX_LENGTH, review } from '../../../src/domain/enquiry.ts'
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

const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const split = <Whole extends string | Buffer>(whole: Whole, at: number) => Math.floor(at * whole.length)

// Short parts of what matters, so that what is valid, nearly valid and invalid are all frequent.
const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .array(fc.constantFrom('x', ' ', '\u00a0', '\ufeff', '\n', '\t', '\u0000', '\u0085', '\u2028', '\ud800', '😀'), {
      maxLength: 4,
    })
    .map((parts) => parts.join('')),
)
const atBound = (limit: number) =>
  fc
    .tuple(fc.constantFrom('x', '名', '😀', '\u0301', '\udc00'), fc.integer({ min: limit - 1, max: limit + 1 }))
    .map(([character, length]) => character.repeat(length))
const word = fc.stringMatching(/^[a-zA-Zßñя名][a-zA-Z '’ßñя名]{0,10}[a-zßñя名]$/)
const text = (limit: number) => often(word, oddText, atBound(limit))
const email = often(fc.emailAddress(), nearlyAddress, nearlyAddress, nearlyAddress, oddText)

const odd = fc.jsonValue({ maxDepth: 2 })
const field = (value: Arbitrary<unknown>) => often(value, value, odd)

/** Names that an object has without being asked, and others that no contract would choose. */
const strangeName = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'length', 'then'),
  fc.constantFrom('', 'Email', 'email ', 'middle', 'a/b~c', '\u0000', '\ud800', '0', '😀'.repeat(200)),
  fc.string({ unit: 'binary' }),
)

function object(fields: Record<string, Arbitrary<unknown>>): Arbitrary<unknown> {
  const whole = fc.record(fields)
  const more = fc.array(fc.tuple(strangeName, odd), { minLength: 1, maxLength: 30 })
  return often<unknown>(
    whole,
    fc.record(fields, { requiredKeys: [] }),
    fc.tuple(whole, more).map(([fields, more]) => Object.fromEntries([...Object.entries(fields), ...more])),
  )
}

const subscription = object({ email: field(email) })
const enquiry = fc.oneof(
  object({
    name: field(object({ first: field(text(MAX_LENGTH.first)), last: field(text(MAX_LENGTH.last)) })),
    email: field(email),
    msg: field(text(MAX_LENGTH.message)),
  }),
  typedEnquiry.map((typed) => {
    const { first, last, email, message } = review(typed).enquiry
    return { name: { first, last }, email, msg: message }
  }),
)

const inUnicodeEscapes = (json: string) =>
  json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A document as JSON, and what is nearly that. */
function jsonText(document: Arbitrary<unknown>): Arbitrary<string> {
  const json = document.map((value) => JSON.stringify(value))
  const at = fc.tuple(json, place)
  return often(
    json,
    json.map((json) => `\r\n\t ${json} `),
    json.map(inUnicodeEscapes),
    json.map((json) => `\ufeff${json}`),
    json.map((json) => json + json),
    json.map((json) => `[${json}]`),
    json.map((json) => JSON.stringify(json)),
    json.map((json) => `{"email":"first@example.com",${json.slice(1)}`),
    at.map(([json, place]) => json.slice(0, split(json, place))),
    fc
      .tuple(at, fc.constantFrom(',', '"', '{', '}', '\\', '\u0000', '\n', '/**/', '\ud800'))
      .map(([[json, place], more]) => json.slice(0, split(json, place)) + more + json.slice(split(json, place))),
    fc.nat(30_000).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
    fc.constantFrom('', ' ', 'null', 'NaN', 'undefined', '-', '1e999', '"x"', "{'email':'a@b.co'}", 'email=a%40b.co'),
    odd.map((value) => JSON.stringify(value)),
  )
}

const paddedTo = (length: number, body: Buffer) =>
  Buffer.concat([body, Buffer.alloc(Math.max(0, length - body.length), ' ')])

/** A text in UTF-8, and what is not, or is too long by a little or a lot. */
const encoded = (text: Arbitrary<string>) =>
  often<Buffer>(
    text.map((text) => Buffer.from(text)),
    text.map((text) => Buffer.from(text, 'utf16le')),
    text.map((text) => Buffer.from(text, 'latin1')),
    text.map((text) => gzipSync(text)),
    fc.tuple(text, place, fc.constantFrom('ff', 'c080', 'eda080', 'f4908080', 'efbfbd')).map(([text, place, hex]) => {
      const body = Buffer.from(text)
      return Buffer.concat([
        body.subarray(0, split(body, place)),
        Buffer.from(hex, 'hex'),
        body.subarray(split(body, place)),
      ])
    }),
    fc
      .tuple(text, fc.constantFrom(65_535, 65_536, 65_537, 200_000))
      .map(([text, length]) => paddedTo(length, Buffer.from(text))),
  )

const types = (isCalledJson: boolean, ...types: (string | null)[]) =>
  fc.constantFrom(...types).map((type) => ({ headers: type === null ? {} : { 'content-type': type }, isCalledJson }))
const encodings = (isCalledJson: boolean, ...encodings: string[]) =>
  fc.constantFrom(...encodings).map((encoding) => ({
    headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    isCalledJson,
  }))

const bodyHeaders = often<Pick<HostileRequest, 'headers' | 'isCalledJson'>>(
  types(true, 'application/json', 'application/json; charset=utf-8'),
  types(true, 'Application/JSON', 'application/json;charset="UTF-8"', 'application/json;charset=utf8;profile="a;b"'),
  types(false, null, '', 'text/plain', 'text/plain;charset=UTF-8'),
  types(false, 'text/json', 'application/jsonx', 'application/problem+json', 'application/json, text/plain', '*/*'),
  types(false, 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'nonsense', '__proto__'),
  types(false, 'application/json; charset=utf-16', 'application/json;charset=iso-8859-1', 'application/json/x'),
  encodings(true, 'identity', 'Identity'),
  encodings(false, 'gzip', 'br', 'deflate, gzip', 'identity, gzip', 'utf-8', 'constructor'),
)

const headerText = fc.stringMatching(/^([!-~\xa1-\xff]([ -~\xa0-\xff]{0,30}[!-~\xa1-\xff])?)?$/)
// Few enough that several requests of a hundred share one.
const sharedKey = fc.constantFrom('0b9e5b0c-6f5d-4b7e-9d51-6d2f5a3f0c11', '0B9E5B0C-6F5D-4B7E-9D51-6D2F5A3F0C11')
const headers = (name: string, value: Arbitrary<string>): Arbitrary<Readonly<Record<string, string>>> =>
  value.map((value) => Object.fromEntries([[name, value]]))
const extraName = fc.oneof(
  fc.constantFrom(
    'accept',
    'accept-encoding',
    'user-agent',
    'referer',
    'x-forwarded-for',
    'forwarded',
    'authorization',
  ),
  fc.constantFrom('__proto__', 'constructor', 'tostring', 'x-http-method-override', 'if-none-match', 'range', 'x'),
)
const xsrfTokenAtBound = fc.integer({ min: 4095, max: 4097 }).map((length) => 'a'.repeat(length))
const otherHeaders = often<Readonly<Record<string, string>>>(
  fc.constant({}),
  headers('idempotency-key', fc.uuid()),
  headers('idempotency-key', sharedKey),
  headers('idempotency-key', fc.oneof(headerText, fc.tuple(fc.uuid(), fc.uuid()).map(String))),
  headers('x-xsrf-token', fc.oneof(headerText, xsrfTokenAtBound)),
  extraName.chain((name) => headers(name, headerText)),
)

const requestTo = (operation: HostileRequest['operation'], document: Arbitrary<unknown>): Arbitrary<HostileRequest> =>
  fc.tuple(encoded(jsonText(document)), bodyHeaders, otherHeaders).map(([body, { headers, isCalledJson }, others]) => ({
    operation,
    headers: { ...others, ...headers },
    body,
    isCalledJson,
  }))

/** Valid, nearly valid and far from it, to both operations; without what only browsers send. */
export const hostileRequest = fc.oneof(requestTo('subscribe', subscription), requestTo('contactUs', enquiry))
