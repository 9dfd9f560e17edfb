import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Operation } from '../../operations.ts'
import type { Call } from '../client.ts'
import type { Row } from '../context.ts'
import { type RequestOptions, RUN_ID, withHeader } from '../requests.ts'
import { CHUNKED, EMOJI, MAX_BODY_BYTES } from './accepted.ts'

const FORM = 'email=contract%40example.com'

/** What is not JSON, though some parsers take it: as a whole body, as a value, and as a change of a right body. */
const NOT_JSON = [' ', 'NaN', '- email: a', '{"email":"a",,"msg":"b"}']
const NO_VALUES = ['NaN', '01', '.5', '0x1', '[1,]', '"a\tb"', '"a\nb"', '"\\x41"']
const ALMOST_JSON: readonly ((json: string) => string)[] = [
  (json) => `${json}x`,
  (json) => `${json}${json}`,
  (json) => `\u00a0${json}\0`,
  (json) => `${json}// more`,
  (json) => json.replace('}', ',}'),
  (json) => json.replaceAll('"', "'"),
]
/** Bytes that are not UTF-8 in a text: ISO 8859-1, overlong, a surrogate, beyond Unicode. */
const NOT_UTF8 = ['e9', 'c080', 'eda080', 'f4908080']
const DEEP_LIST = '['.repeat(20_000) + ']'.repeat(20_000)
const DEEP_OBJECT = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`

/** The statuses that refuse a call; whether it may be 403 is up to the backend. */
export const REFUSED = [400, 403, 413, 415, 422]

const withHeaders = (headers: Call['headers']) => (call: Call) => ({
  ...call,
  headers: { ...call.headers, ...headers },
})
const withText = (edit: (json: string) => string) => (call: Call) => ({
  ...call,
  body: Buffer.from(edit(`${call.body}`)),
})

/**
 * Changes that each make a valid call a refused one, for a reason of its own. Such a call must leave nothing behind.
 */
export const REFUSALS: readonly ((call: Call) => Call)[] = [
  withHeaders({ 'content-type': 'text/plain' }),
  withHeaders({ cookie: 'XSRF-TOKEN=one', 'x-xsrf-token': 'two' }),
  withText((json) => `${json}x`),
  withText((json) => json.replace(/}$/, ',"more":1}')),
]

/** The rows of bodies that are no JSON or too large, other types, methods and paths. `rare` is as in `acceptedRows`. */
export function refusedRows({ path }: Operation, rare: <T>(...cases: T[]) => T[]): Row[] {
  return [
    {
      rule: 'A body that is not JSON, begins with a byte order mark or is not valid UTF-8 is answered with 400',
      title: 'a body that is not JSON is refused',
      requests: [
        { edit: (json) => json.slice(0, -1) },
        ...['', '{}}', FORM, ...rare(...NOT_JSON)].map((body) => ({ body })),
        ...rare(...NO_VALUES).map((value) => ({ body: `{"email":${value}}` })),
        ...rare(...ALMOST_JSON).map((edit) => ({ edit })),
      ],
      outcome: 'not-json',
    },
    {
      rule: 'A body that is not JSON, begins with a byte order mark or is not valid UTF-8 is answered with 400',
      title: 'a byte order mark, another encoding and bytes that are not UTF-8 are refused',
      requests: [
        { edit: (json) => `\ufeff${json}` },
        { edit: (json) => Buffer.from(json, 'utf16le') },
        ...NOT_UTF8.map((hex) => ({ edit: (json: string) => withBytes(json, hex) })),
      ],
      outcome: 'not-json',
    },
    {
      rule: 'Values that are nested deep, however deep, and numbers that are too large are refused with 400 or 422.',
      title: 'deep nesting and too large numbers are refused',
      requests: [DEEP_LIST, DEEP_OBJECT, `{"email":${DEEP_LIST}}`, '{"email":1e999}'].map((body) => ({ body })),
      outcome: 'not-json',
      or: [422],
    },
    {
      rule: 'one over 64 KiB with 413',
      title: 'a body of 65,537 bytes is refused, in chunks and in fewer characters too',
      requests: [
        { edit: (json) => json.padEnd(MAX_BODY_BYTES + 1) },
        { edit: (json) => json.padEnd(MAX_BODY_BYTES + 1), headers: CHUNKED },
        { edit: (json) => `${json}${' '.repeat(60_000)}${EMOJI.repeat(1400)}`, headers: CHUNKED },
      ],
      outcome: 'too-large',
    },
    {
      rule: 'Another type, another `charset` and every `Content-Encoding` except `identity`, in any case, are answered with 415',
      title: 'another type, none, another charset and a compressed body are refused',
      requests: [
        { body: FORM, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
        ...withHeader('content-type', 'text/plain', null, 'multipart/form-data; boundary=x', `application/x-${RUN_ID}`),
        ...withHeader('content-type', 'application/json; charset=iso-8859-1', 'application/json; charset="utf-16"'),
        ...withHeader('content-type', ...rare('application/json; charset=utf-88', 'text/json', '*/*', '')),
        // These find a type that is looked for at the start, at the end, or anywhere.
        ...withHeader('content-type', ...rare('application/jsonx', 'application/problem+json')),
        ...withHeader('content-type', ...rare('text/plain; a=application/json', 'application/json, text/plain')),
        { edit: gzipSync, headers: { 'content-encoding': 'gzip' } },
        ...rare({ edit: brotliCompressSync, headers: { 'content-encoding': 'br' } }),
        ...rare({ edit: deflateSync, headers: { 'content-encoding': 'deflate' } }),
        ...withHeader('content-encoding', `unknown-${RUN_ID}`),
      ],
      outcome: 'unsupported-media-type',
    },
    {
      rule: 'another method on a known path with 405 and an `Allow` header',
      title: 'other methods are refused, and Allow names those that there are',
      requests: [
        ...methods(path, 'GET', 'PUT', 'DELETE', 'PATCH', ...rare('OPTIONS', 'PROPFIND')),
        ...methods(`${path}?_method=POST`, 'GET'),
        { method: 'PUT', headers: { 'x-http-method-override': 'POST' } },
      ],
      outcome: 'method-not-allowed',
    },
    {
      rule: '`/api` and an unknown path below it are answered with 404',
      title: 'other paths are not found, by any method',
      requests: [
        ...methods(`${path}/more`, 'POST', 'GET', 'DELETE'),
        ...[`${path}/`, path.toUpperCase().replace('/API', '/api')].flatMap((other) => methods(other, 'POST')),
        ...rare('/api', '/api/', `/api/${RUN_ID}`, '/api/100%25').flatMap((other) => methods(other, 'POST', 'GET')),
        ...rare(`${path}s`, `${path}.json`, `${path};a=b`).flatMap((other) => methods(other, 'POST')),
      ],
      outcome: 'not-found',
    },
  ]
}

/** The body with these bytes, in hexadecimal, before the @ of its address. */
function withBytes(json: string, hex: string): Buffer {
  const [before = '', after = ''] = json.split('@')
  return Buffer.concat([Buffer.from(before), Buffer.from(hex, 'hex'), Buffer.from(`@${after}`)])
}

const methods = (path: string, ...methods: string[]): RequestOptions[] =>
  methods.map((method) => ({ method, path, ...(method === 'GET' && { body: '' }) }))
