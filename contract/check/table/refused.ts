import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import type { Field, Operation } from '../../operations.ts'
import { type Check, rowsOf } from '../check.ts'
import type { Call } from '../client.ts'
import {
  addressOf,
  escaped,
  exampleOf,
  type Fields,
  invalidInEach,
  invalidInTurn,
  jsonOf,
  newAddress,
  newLocalPart,
  RUN_ID,
  request,
  textFieldsOf,
  withBodies,
  withEdits,
  withEmails,
  withHeader,
} from '../requests.ts'
import * as samples from '../samples.ts'
import { CHUNKED, MAX_BODY_BYTES } from './accepted.ts'

/** 403 is up to the backend. */
export const REFUSED = [400, 403, 413, 415, 422]

/** Each makes a request one that is refused, for a reason of its own. A refused request must leave nothing behind. */
export const REFUSALS: readonly ((call: Call) => Call)[] = [
  ...[
    { 'content-type': 'text/plain' },
    { 'content-encoding': 'gzip' },
    { cookie: 'XSRF-TOKEN=one', 'x-xsrf-token': 'two' },
    { 'sec-fetch-site': 'cross-site' },
  ].map((headers) => (call: Call) => ({ ...call, headers: { ...call.headers, ...headers } })),
  ...[
    (json: string) => `${json}x`,
    (json: string) => json.padEnd(MAX_BODY_BYTES + 1),
    (json: string) => json.replace(/}$/, ',"more":1}'),
    (json: string) => json.replace('@', ' at '),
  ].map((edit) => (call: Call) => ({ ...call, body: Buffer.from(edit(`${call.body}`)) })),
]

const ODD_JSON =
  'Values that are nested deep, however deep, and numbers that are too large are refused with 400 or 422.'

/** Bodies that break the schema, and headers beside them. */
export function invalidRequests(operation: Operation): Check[] {
  const invalid = rowsOf(operation, operation.invalidOutcome, 422)
  const notJsonOrInvalid = rowsOf(operation, operation.invalidOutcome, [400, 422])
  const tokenTooLong = rowsOf(operation, operation.invalidOutcome, [403, 422, 431])
  const pointers = operation.fields.map(({ pointer }) => pointer)
  const inner = operation.objects.filter((pointer) => pointer !== '')
  const unknown = [...operation.objects.map((object) => `${object}/more`), '/a~1b~0c']
  const empty = (pointers: readonly string[]): Fields => Object.fromEntries(pointers.map((pointer) => [pointer, '']))
  const texts = textFieldsOf(operation)
  return [
    ...invalid('Each field at fault, once; if there are more than 20, any 20 of them.', {
      'an invalid address is refused, and its field named': [
        ...withEmails('no address at all'),
        { fields: { '/email': '' }, headers: { accept: 'text/html,application/xhtml+xml' } },
      ],
      'each field at fault is named once, and no other': [
        ...[...pointers, ...unknown].map((pointer) => ({ fields: empty([pointer]) })),
        ...[pointers, unknown].map((pointers) => ({ fields: empty(pointers) })),
        {
          fields: { ...empty(pointers), '/email': 5, '/more': null },
          headers: { 'idempotency-key': pointers.length > 1 ? 'no-uuid' : null },
        },
      ],
      'a missing field is refused, and named as if it were there': [
        ...invalidInEach(operation, operation.fields, undefined),
        ...inner.flatMap((pointer) => [
          { fields: { [pointer]: undefined, '/name.first': 'a', '/name.last': 'b' } },
          { fields: { [pointer]: undefined } },
          { fields: { [pointer]: {} } },
        ]),
        { body: '{}' },
        { body: '{}', path: `${operation.path}?${samples.FORM}`, headers: { cookie: samples.FORM } },
        { edit: (json) => json.replace('"email"', '"Email"') },
      ],
      'a thousand unknown fields are refused, and a long name': [
        ...[samples.MANY_UNKNOWN, { [samples.LONG_NAME]: 1 }].map((more) => ({
          body: { ...exampleOf(operation), ...more },
        })),
      ],
    }),
    ...invalid('An email address as the HTML standard defines it, with at least one dot in the domain', {
      'addresses beyond their bounds are refused': withEmails(addressOf(255, 64), addressOf(200, 65)),
      'almost valid addresses are refused': withEmails(
        ...samples.INVALID_ENDS.map((end) => newLocalPart() + end),
        ...['', '@example.com', `"${newLocalPart()}"@example.com`],
        ...[`${newAddress()},${newAddress()}`, `A <${newAddress()}>`],
      ),
    }),
    ...invalid('**Lengths** count Unicode code points.', {
      'texts beyond their bounds are refused': [
        ...invalidInEach(operation, texts, '', ({ maxLength }: Field) => 'a'.repeat(maxLength + 1)),
        ...invalidInEach(operation, texts, ({ maxLength }: Field) => samples.EMOJI.repeat(maxLength + 1)),
        // As many visible characters as allowed, but more code points.
        ...samples.CLUSTERS.flatMap((cluster) =>
          invalidInEach(operation, texts, ({ maxLength }: Field) => cluster.repeat(maxLength / 2 + 1)),
        ),
      ],
    }),
    ...invalid("White space is what ECMAScript's `trim` removes.", {
      'white space around a field is refused, not trimmed': [
        ...withEmails(
          ...[' ', ...samples.SPACES].map((space) => `${space}${newAddress()}`),
          ...[...' \n\ufeff', ...samples.NO_SPACES].map((space) => `${newAddress()}${space}`),
        ),
        ...invalidInTurn(
          operation,
          ...samples.SPACES.map((space, i) => (i % 2 === 0 ? `${space}text` : `text${space}`)),
        ),
        ...invalidInEach(operation, texts, ' text', 'text ', 'text\n', '\u00a0text', 'text\u3000', '\ufefftext'),
      ],
    }),
    ...invalid('one that breaks a schema here with 422', {
      'control characters, line separators and lone surrogates are refused': [
        ...invalidInTurn(operation, ...samples.CONTROLS.map((control) => `a${control}b`)),
        ...invalidInEach(operation, texts, 'a\0b', 'a\nb', 'a\ud800b'),
      ],
      'other types are refused, in the place of each field and each object': [
        ...invalidInEach(operation, operation.fields, ...samples.OTHER_THAN_TEXTS),
        ...inner.flatMap((pointer) => samples.OTHER_THAN_OBJECTS.map((value) => ({ fields: { [pointer]: value } }))),
        ...[...samples.OTHER_THAN_OBJECTS, [exampleOf(operation)], jsonOf(operation)].map((value) => ({
          body: JSON.stringify(value),
        })),
      ],
      'an unknown field is refused, at every depth': [
        ...operation.objects.flatMap((object) =>
          samples.UNKNOWN_NAMES.map((name) => ({
            fields: { [`${object}/${escaped(name)}`]: name === '__proto__' ? { more: 1 } : `more ${RUN_ID}` },
          })),
        ),
        ...[null, false, '', []].map((value) => ({ fields: { '/more': value } })),
      ],
    }),
    ...notJsonOrInvalid('Of two fields of one name the last counts, or the body is refused with 400.', {
      'of two fields of one name the last is what is checked': withEdits(
        ...['"email":"last"', '"email":5', ...inner.map((pointer) => `"${pointer.slice(1)}":{}`)].map(
          (last) => (json: string) => json.replace(/}$/, `,${last}}`),
        ),
      ),
    }),
    ...notJsonOrInvalid(ODD_JSON, {
      'numbers that are too large are refused': withBodies(
        ...['1e999', '-1e999', '9'.repeat(400)].map((number) => `{"email":${number}}`),
      ),
    }),
    ...tokenTooLong(
      "A value over 4,096 characters is refused: with 422, with 403 if no cookie equals it, or with the server's own 431.",
      {
        'a token over 4,096 characters is refused': [
          { headers: { cookie: 'XSRF-TOKEN=', 'x-xsrf-token': 'a'.repeat(4097) } },
        ],
      },
    ),
  ]
}

/** Bodies that are no JSON or too large, other types, methods, paths and sites. */
export function refusedRequests(operation: Operation): Check[] {
  const { path } = operation
  const methods = (path: string, ...methods: string[]) =>
    methods.map((method) => ({ method, path, ...(method === 'GET' && { body: '' }) }))
  const notJson = rowsOf(operation, 'not-json', 400)
  const tooLarge = rowsOf(operation, 'too-large', 413)
  const otherType = rowsOf(operation, 'unsupported-media-type', 415)
  const refused = rowsOf(operation, 'unsupported-media-type', REFUSED)
  const otherMethod = rowsOf(operation, 'method-not-allowed', 405)
  const otherPath = rowsOf(operation, 'not-found', 404)
  return [
    ...notJson('A body that is not JSON, begins with a byte order mark or is not valid UTF-8 is answered with 400', {
      'half a body is refused': withEdits((json) => json.slice(0, -1)),
      'almost valid JSON is refused': [...withBodies(...samples.INVALID_JSON), ...withEdits(...samples.ALMOST_JSON)],
      'a byte order mark is refused': withEdits((json) => samples.BYTE_ORDER_MARK + json),
      'bytes that are not UTF-8 are refused': withEdits(...samples.INVALID_UTF8),
    }),
    ...rowsOf(
      operation,
      'not-json',
      [400, 422],
    )(ODD_JSON, {
      'deep nesting is refused': withBodies(
        ...[...samples.DEEP, '['.repeat(20_000), ...samples.DEEP.map((deep) => `{"email":${deep}}`)],
      ),
    }),
    ...tooLarge('one over 64 KiB with 413', {
      'a body of 65,537 bytes is refused': withEdits((json) => json.padEnd(MAX_BODY_BYTES + 1)),
      'a body of 65,537 bytes in chunks is refused': [
        { edit: (json) => json.padEnd(MAX_BODY_BYTES + 1), headers: CHUNKED },
      ],
      'a body of 65,537 bytes in fewer characters is refused': textFieldsOf(operation)
        .slice(-1)
        .map(({ pointer, maxLength }) => ({
          fields: { [pointer]: samples.EMOJI.repeat(maxLength) },
          edit: (json) => json + ' '.repeat(MAX_BODY_BYTES + 1 - Buffer.byteLength(json)),
        })),
      // A server may close the connection instead of answering.
      async 'a huge body is refused'({ exchange, evaluate }) {
        const exchanged = await exchange(request(operation, { edit: (json) => json.padEnd(2e6) }))
        if (exchanged.answer.status > 0) evaluate(exchanged, 413)
      },
    }),
    ...otherType(
      'Another type, another `charset` and every `Content-Encoding` except `identity`, in any case, are answered with 415',
      {
        'text/plain is refused': withHeader('content-type', 'text/plain'),
        'a form, no type, other types and other charsets are refused': [
          { body: samples.FORM, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
          ...withHeader('content-type', null, ...samples.OTHER_TYPES),
        ],
        'a compressed body is refused': [
          { edit: gzipSync, headers: { 'content-encoding': 'gzip' } },
          { edit: brotliCompressSync, headers: { 'content-encoding': 'br' } },
          { edit: deflateSync, headers: { 'content-encoding': 'deflate' } },
          { edit: deflateRawSync, headers: { 'content-encoding': 'deflate' } },
          ...withHeader('content-encoding', ...samples.OTHER_ENCODINGS),
        ],
      },
    ),
    ...refused('Where several refusals apply, 403 and 429 included, the backend chooses one of them.', {
      'of several refusals that apply, one is answered': samples.OTHER_SITES.map((site) => ({
        body: '{'.padEnd(MAX_BODY_BYTES + 1),
        headers: { ...site, cookie: 'XSRF-TOKEN=one', 'x-xsrf-token': 'two', 'content-type': 'text/plain' },
      })),
    }),
    ...rowsOf(operation, 'forbidden')(
      'A backend may answer 403 to what a page of another site sends, but never to its own page.',
      {
        async 'a call from another site is refused in this form, if at all'({ each, note }) {
          for (const headers of samples.OTHER_SITES) {
            const { status } = await each([200, 403], request(operation, { headers }))
            if (status === 200) note('some are accepted, which a backend may do')
          }
        },
      },
    ),
    ...otherMethod('another method on a known path with 405 and an `Allow` header', {
      'other methods are refused, and Allow names those that there are': [
        ...methods(path, ...samples.OTHER_METHODS),
        ...methods(`${path}?_method=POST`, 'GET', 'PUT'),
        ...samples.METHOD_OVERRIDES.map((name) => ({ method: 'PUT', headers: { [name]: 'POST' } })),
      ],
      'a preflight call is refused': ({ each }) => {
        const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' }
        return each([403, 405], request(operation, { method: 'OPTIONS', body: '', headers }))
      },
    }),
    ...otherMethod('An answer to HEAD has no body.', {
      // What follows an answer would be taken for the next one.
      'HEAD is refused like other methods, without a body': ({ overOneConnection }) => {
        const head = { method: 'HEAD', body: '', headers: { 'content-type': null } }
        const unknown = { ...head, path: `${path}/more` }
        return overOneConnection(
          [405, request(operation, head)],
          [404, request(operation, unknown)],
          [200, request(operation)],
        )
      },
    }),
    ...otherPath('`/api` and an unknown path below it are answered with 404', {
      'other paths are not found, by any method': [
        ...samples.otherPaths(path).flatMap((other) => methods(other, 'POST', 'GET', 'PUT')),
        ...methods(`${path}/more`, ...samples.OTHER_METHODS),
      ],
    }),
  ]
}
