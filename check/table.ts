import { gzipSync } from 'node:zlib'
import { isValid, parseJson } from '../contract/faults.ts'
import type { Operation } from '../contract/operations.ts'
import { type Change, exampleOf, type Fields, type Headers, KEY, newAddress, newKey, newLocalPart } from './call.ts'
import { shown } from './report.ts'
import { ORIGIN } from './settings.ts'
import type { Expected, Row, Step, Table } from './steps.ts'

/** The largest body that is accepted. */
export const LIMIT = 65_536
const CHUNKED = { 'transfer-encoding': 'chunked' }
/** The longest address has 64 characters, the @, and these 189. */
const LONG_DOMAIN = `${'d'.repeat(57)}.${'d'.repeat(63)}.${'d'.repeat(63)}.com`

const inWords = (value: unknown) => shown(JSON.stringify(value, (_, part) => part ?? `${part}`))
const headers = (headers: Headers, expected: Expected): Row => [inWords(headers), [expected, { headers }]]
const type = (value: string | null, expected: number) => headers({ 'content-type': value }, expected)
const token = (cookie: string, token: string | null, expected: number) =>
  headers({ cookie, 'x-xsrf-token': token }, expected)
const edited = (title: string, expected: Expected, edit: (json: string) => string | Buffer, headers = {}): Row => [
  title,
  [expected, { edit, headers }],
]
const body = (text: string, expected: Expected) => edited(shown(text) || 'no body', expected, () => text)
const sized = (length: number, headers = {}): Change => ({ edit: (json) => json.padEnd(length), headers })
const call = (method: string, path: string, status: number): Row => [`${method} ${path}`, [status, { method, path }]]

/** The rules that single calls show. */
export function callsOf(operation: Operation): Table {
  const { path, parts, requestSchema, headerSchema } = operation
  /** The schema decides which status has to come. */
  const fields = (fields: Fields): Row => {
    const isRight = isValid(requestSchema, parseJson(exampleOf(operation, fields)))
    return [inWords(fields), [isRight ? 200 : 422, { fields }]]
  }
  const email = (value: string) => fields({ '/email': value })
  const withKey = (value: string): Step => {
    const headers = { [KEY]: value }
    return [isValid(headerSchema, headers) ? 200 : 422, { headers }]
  }
  const uuid = newKey()
  const pointers = [...parts.keys()].filter((pointer) => pointer !== '')
  const objects = [...parts].flatMap(([pointer, { properties }]) => (properties ? [pointer] : []))
  const leaves = pointers.filter((pointer) => !objects.includes(pointer))
  const texts = [...parts].filter(([pointer, { maxLength }]) => pointer !== '/email' && maxLength !== undefined)
  const inEachText = (...values: string[]) =>
    texts.flatMap(([pointer]) => values.map((value) => fields({ [pointer]: value })))
  const browser = { origin: ORIGIN, referer: `${ORIGIN}/`, 'sec-fetch-site': 'same-origin' }
  return {
    'first-call': [['', [200, {}]]],
    'own-origin': [
      ['as a browser sends it', [200, { headers: browser }]],
      ['as an old browser sends it', [200, { headers: { origin: ORIGIN, referer: `${ORIGIN}/` } }]],
      ['behind a proxy', [200, { headers: { ...browser, origin: 'http://backend.internal:8080' } }]],
    ],
    'request-type': [
      ...['utf-8', 'UTF-8', '"utf-8"', 'utf8'].map((charset) => type(`application/json; charset=${charset}`, 200)),
      ...[null, 'text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded']
        .concat('application/problem+json', 'application/json; charset=iso-8859-1')
        .map((other) => type(other, 415)),
      headers({ 'content-encoding': 'identity' }, 200),
      edited('gzip', 415, gzipSync, { 'content-encoding': 'gzip' }),
    ],
    'query-string': [['?more=1', [200, { path: `${path}?more=1` }]]],
    '64-kib': [
      edited('a text in chunks', 200, (json) => json.replace('harbour', 'гавань 港'), CHUNKED),
      ['with a Content-Length', [200, sized(LIMIT)], [413, sized(LIMIT + 1)]],
      ['in chunks', [200, sized(LIMIT, CHUNKED)], [413, sized(LIMIT + 1, CHUNKED)]],
    ],
    'strict-json': [
      ...['', 'email=a', '{"email":NaN}', '{"email":"a\tb"}'].map((text) => body(text, 400)),
      edited('a sign after it', 400, (json) => `${json}x`),
      edited('a comma before the brace', 400, (json) => json.replace('}', ',}')),
      edited('a byte order mark', 400, (json) => `\ufeff${json}`),
      edited('UTF-16', 400, (json) => Buffer.from(json, 'utf16le')),
      edited('ISO 8859-1', 400, (json) => Buffer.from(json.replace('@', 'é@'), 'latin1')),
      edited('the last of two names is valid', [200, 400], (json) => json.replace('"email"', '"email":0,"email"')),
      edited('the first of two names is valid', [400, 422], (json) => json.replace(/"email":"[^"]*"/, '$&,"email":0')),
      body('['.repeat(20_000) + ']'.repeat(20_000), [400, 422]),
      body('{"email":1e999}', [400, 422]),
      ...texts.map(([pointer]): Row => ['a lone surrogate', [[400, 422], { fields: { [pointer]: 'a\ud800b' } }]]),
    ],
    fields: [
      ...['null', '[]', '"text"', '{}'].map((text) => body(text, 422)),
      ...[null, 5, true, 'text', [], undefined].flatMap((value) => pointers.map((at) => fields({ [at]: value }))),
      ...objects.flatMap((at) => ['more', 'Email', '__proto__'].map((name) => fields({ [`${at}/${name}`]: 'a' }))),
      fields({ '/email': [newAddress()] }),
      fields(Object.fromEntries(leaves.map((pointer) => [pointer, '']))),
    ],
    addresses: [
      ...['', 'plain', '@example.com', ` ${newAddress()}`, `"${newLocalPart()}"@example.com`].map(email),
      ...["!#$%&'*+-/=?^_`{|}~@example.com", '@a--b.1.example.com', '@', '@example', '@a..example.com']
        .concat('@a_b.example.com', '@-a.example.com', '@example.com.', '@a@example.com', ' b@example.com')
        .concat('ä@example.com', '@bücher.example.com', '@[127.0.0.1]', '@example.com\n')
        .map((end) => email(newLocalPart() + end)),
      ...[LONG_DOMAIN, `a${LONG_DOMAIN}`].map((domain) => email(`${newLocalPart().padEnd(64, 'a')}@${domain}`)),
      email(newAddress().padStart(78, 'a')),
    ],
    lengths: texts.flatMap(([pointer, { maxLength = 0 }]) =>
      [0, 1, maxLength, maxLength + 1].flatMap((length) =>
        ['a', '😀'].map((sign) => fields({ [pointer]: sign.repeat(length) })),
      ),
    ),
    'text-to-the-letter': [
      edited('an emoji as escapes', 200, (json) => json.replace('Given', '\\ud83d\\ude00')),
      ...inEachText('Ñandú Όνομα שם اسم ชื่อ 名前 ስም 𐌽𐌰', '👩‍🚒 🇩🇪 👍🏽', `O'Ab-"\\</script> ' OR 1=1; --`),
      ...inEachText('null', '0'),
    ],
    'white-space': [
      ...[' ', '\n', '\u00a0', '\u3000', '\ufeff'].flatMap((space) => inEachText(space, `${space}a`, `a${space}`)),
      ...inEachText('a\r\n\tb', 'a\nb', 'a\0b', 'a\u007fb', 'a\u0085b', 'a\u2028b'),
    ],
    'paths-and-methods': [
      ...['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'].map((method) => call(method, path, 405)),
      ...['POST', 'GET'].flatMap((method) => [`${path}/more`, '/api'].map((other) => call(method, other, 404))),
      ...[`${path}/`, path.toUpperCase().replace('/API', '/api')].map((other) => call('POST', other, 404)),
    ],
    'key-format': [
      ...[1, 7].map((version): Row => [`version ${version}`, withKey(uuid.replace(/(?<=^.{14})./, `${version}`))]),
      ...['', `${uuid}0`, uuid.replaceAll('-', '')].map((value): Row => [`"${value}"`, withKey(value)]),
      ['"no", then "no" beside a fault', withKey('no'), [422, { fields: { '/email': '' }, headers: { [KEY]: 'no' } }]],
    ],
    'the-token': [
      token('XSRF-TOKEN=', null, 200), // An empty cookie counts as none.
      ...['one', 'two'].map((value) => token('XSRF-TOKEN=one; XSRF-TOKEN=two', value, 200)),
      token('XSRF-TOKEN=a%2Fb', 'a/b', 200),
      token('XSRF-TOKEN=%zz', '%zz', 200), // This value can't be decoded, and is compared as it is.
      token('XSRF-TOKEN=a+b==', 'a+b==', 200), // As Base64 ends.
      ...['two', null, 'ONE', 'on', 'ones'].map((value) => token('XSRF-TOKEN=one', value, 403)),
    ],
  }
}
