import { gzipSync } from 'node:zlib'
import { isValid } from '../faults.ts'
import type { Operation } from '../operations.ts'
import type { Expected } from './answer.ts'
import { type Change, exampleOf, type Fields, type Headers, newAddress, newKey, newLocalPart } from './call.ts'
import { shown } from './promise.ts'
import { ORIGIN } from './settings.ts'

/** How a call differs from the contract's example, in words; the status that has to come; and the difference itself. */
type Row = readonly [title: string, expected: Expected, change: Change]
/** Advice for a backend that breaks a sentence, and the calls that show whether it does. */
type Calls = readonly [advice: string, ...rows: Row[]]

/** The largest body that is accepted. */
export const LIMIT = 65_536
export const CHUNKED = { 'transfer-encoding': 'chunked' }
/** The longest address has 64 characters, the @, and these 189. */
const LONG_DOMAIN = `${'d'.repeat(57)}.${'d'.repeat(63)}.${'d'.repeat(63)}.com`

function inWords(value: unknown): string {
  const json = JSON.stringify(value, (_, part) => part ?? `${part}`)
  return shown(json, 100)
}
const headers = (headers: Headers, expected: Expected): Row => [inWords(headers), expected, { headers }]
const type = (value: string | null, expected: number) => headers({ 'content-type': value }, expected)
const token = (cookie: string, token: string | null, expected: number) =>
  headers({ cookie, 'x-xsrf-token': token }, expected)
const body = (text: string, expected: Expected): Row => [shown(text, 100) || 'no body', expected, { body: text }]
const edited = (
  title: string,
  expected: number,
  edit: (json: string) => string | Buffer,
  headers: Headers = {},
): Row => [title, expected, { edit, headers }]
const fields = (fields: Fields, expected: Expected): Row => [inWords(fields), expected, { fields }]
const email = (value: string, expected: number) => fields({ '/email': value }, expected)
const call = (method: string, path: string, expected: number): Row => [`${method} ${path}`, expected, { method, path }]

/** For each sentence of the contract, the calls that show whether a backend keeps it, the simplest first. */
export function tableOf(operation: Operation): Readonly<Record<string, Calls>> {
  const { path, objects, requestSchema, headerSchema } = operation
  const uuid = newKey()
  const pointers = operation.fields.map(({ pointer }) => pointer)
  const inner = objects.filter((pointer) => pointer !== '')
  const textFields = operation.fields.filter(({ pointer }) => pointer !== '/email')
  const empty = Object.fromEntries(pointers.map((pointer) => [pointer, '']))
  const browser = { origin: ORIGIN, referer: `${ORIGIN}/`, 'sec-fetch-site': 'same-origin' }
  /** Rows whose status the schema decides. */
  const textRows = (...texts: string[]) =>
    textFields.flatMap(({ pointer }) => texts.map((text) => textRow({ [pointer]: text })))
  const textRow = (sent: Fields) => fields(sent, isValid(requestSchema, exampleOf(operation, sent)) ? 200 : 422)
  const keyRow = (key: string) =>
    headers({ 'idempotency-key': key }, isValid(headerSchema, { 'idempotency-key': key }) ? 200 : 422)
  return {
    'A backend may answer 403 to a call of a page of another site, but never to its own page.': [
      'If the backend knows the page by another origin, add --origin https://their.site. #the-pages-own-origin',
      ['as a browser sends it', 200, { headers: browser }],
      ['as an old browser sends it', 200, { headers: { origin: ORIGIN, referer: `${ORIGIN}/` } }],
      ['behind a proxy that changes Origin', 200, { headers: { ...browser, origin: 'http://backend.internal:8080' } }],
      ['from another site', [200, 403], { headers: { ...browser, 'sec-fetch-site': 'cross-site' } }],
    ],
    'a `charset`, quoted or not, is `utf-8` or `utf8`, in any case.': [
      'Parse the type with a library for it: many clients add a charset. #unsupported-media-type',
      ...['utf-8', 'UTF-8', '"utf-8"'].map((charset) => type(`application/json; charset=${charset}`, 200)),
    ],
    'Another type, another `charset` and every `Content-Encoding` except `identity`': [
      'A form of another site can send text/plain without asking: 415 is a part of the protection. #unsupported-media-type',
      ...[null, 'text/plain', 'multipart/form-data; boundary=x'].map((other) => type(other, 415)),
      ...['x-www-form-urlencoded', 'problem+json', 'json; charset=iso-8859-1'].map((other) =>
        type(`application/${other}`, 415),
      ),
      edited('gzip', 415, gzipSync, { 'content-encoding': 'gzip' }),
    ],
    'A query string is ignored.': [
      'Take no field from it, and route by the path alone. #defaults-of-libraries',
      ['?email=', 200, { path: `${path}?email=` }],
      ['?email=… beside {}', 422, { path: `${path}?email=contract%40example.com`, body: '{}' }],
    ],
    'A body has a `Content-Length` or comes in chunks.': [
      'Take 65,536 bytes in both ways. A gateway in front may have a limit of its own. #64-kib',
      edited('65,536 bytes', 200, (json) => json.padEnd(LIMIT)),
      edited('65,536 bytes in chunks', 200, (json) => json.padEnd(LIMIT), CHUNKED),
    ],
    'one over 64 KiB with 413': [
      'Count bytes as they arrive, and read the rest before you close: else the caller sees no 413. #64-kib',
      edited('65,537 bytes', 413, (json) => json.padEnd(LIMIT + 1)),
      edited('65,537 bytes in chunks', 413, (json) => json.padEnd(LIMIT + 1), CHUNKED),
    ],
    'A body that is not JSON, begins with a byte order mark or is not valid UTF-8 is answered with 400': [
      'Decode UTF-8 strictly, and switch off all that the parser accepts beyond RFC 8259. #defaults-of-libraries',
      ...['', 'email=a', '{"email":NaN}', '{"email":"a\tb"}'].map((text) => body(text, 400)),
      edited('cut off', 400, (json) => json.slice(0, -1)),
      edited('a sign after it', 400, (json) => `${json}x`),
      edited('a comma before the brace', 400, (json) => json.replace('}', ',}')),
      edited('single quotes', 400, (json) => json.replaceAll('"', "'")),
      edited('a byte order mark', 400, (json) => `\ufeff${json}`),
      edited('UTF-16', 400, (json) => Buffer.from(json, 'utf16le')),
      edited('ISO 8859-1', 400, (json) => Buffer.from(json.replace('@', 'é@'), 'latin1')),
    ],
    'are refused with 400 or 422. So is a text with an escaped lone surrogate.': [
      'Limit the depth that the parser takes; refuse such a text before the parser changes it. #defaults-of-libraries',
      body('['.repeat(20_000) + ']'.repeat(20_000), [400, 422]),
      body('{"email":1e999}', [400, 422]),
      ...textFields.map(({ pointer }) => fields({ [pointer]: 'a\ud800b' }, [400, 422])),
    ],
    'one that breaks a schema here with 422': [
      'Switch off the conversion of one type into another. #invalid-enquiry',
      ...[null, 5, true].flatMap((wrong) => pointers.map((pointer) => fields({ [pointer]: wrong }, 422))),
      ...[null, 'text', []].flatMap((wrong) => inner.map((pointer) => fields({ [pointer]: wrong }, 422))),
      ...['null', '[]', '"text"'].map((text) => body(text, 422)),
      fields({ '/email': [newAddress()] }, 422),
    ],
    'A missing field is named as if it were there; of a missing object only the object is named.': [
      'Name the object, not the fields that it would have. #invalid-enquiry',
      body('{}', 422),
      ...[...pointers, ...inner].map((pointer) => fields({ [pointer]: undefined }, 422)),
    ],
    'Each field at fault, once': [
      'Collect all faults before you answer. #invalid-enquiry',
      fields({ ...empty, '/more': null }, 422),
      ['no UUID beside a fault', 422, { fields: { '/email': '' }, headers: { 'idempotency-key': 'no' } }],
    ],
    'No field without a fault is named.': [
      'Refuse an unknown field in every object, whatever its value. Compare names exactly. #invalid-enquiry',
      ...objects.flatMap((object) =>
        ['more', 'Email', '__proto__'].map((name) => fields({ [`${object}/${name}`]: 'another' }, 422)),
      ),
    ],
    'An email address as the HTML standard defines it, with at least one dot in the domain': [
      'Use the pattern of openapi.yaml: what libraries take for an address differs from it. #invalid-subscription',
      email(`${newLocalPart().padEnd(64, 'a')}@${LONG_DOMAIN}`, 200),
      ...["!#$%&'*+-/=?^_`{|}~@example.com", '@a--b.1.example.com'].map((end) => email(newLocalPart() + end, 200)),
      email(`${newLocalPart().padEnd(64, 'a')}@a${LONG_DOMAIN}`, 422),
      email(newAddress().padStart(78, 'a'), 422),
      ...['', 'plain', '@example.com', ` ${newAddress()}`, `"${newLocalPart()}"@example.com`].map((text) =>
        email(text, 422),
      ),
      ...['@', '@example', '@a..example.com', '@a_b.example.com', '@-a.example.com', '@example.com.', '@a@example.com']
        .concat(' b@example.com', 'ä@example.com', '@bücher.example.com', '@[127.0.0.1]', '@example.com\n')
        .map((end) => email(newLocalPart() + end, 422)),
    ],
    '**Lengths** count Unicode code points.': [
      'Count code points before you escape a text, not bytes or UTF-16 units. #code-points',
      ...textFields.flatMap(({ pointer, maxLength }) =>
        [
          '',
          'a',
          'a'.repeat(maxLength),
          '😀'.repeat(maxLength),
          'a'.repeat(maxLength + 1),
          '😀'.repeat(maxLength + 1),
        ].map((text) => textRow({ [pointer]: text })),
      ),
    ],
    'Free text in any script, line breaks included.': [
      'Filter, decode and normalise nothing: the schema says what is refused. #text-to-the-letter',
      edited('an emoji as escapes', 200, (json) => json.replace('Given', '\\ud83d\\ude00')),
      ...textRows(
        'Ñandú Όνομα שם اسم ชื่อ 名前 ስም 𐌽𐌰',
        '👩‍🚒 🇩🇪 👍🏽',
        `O'Ab-"\\</script> ' OR 1=1; --`,
        'a\r\n\tb',
        'null',
        '0',
      ),
    ],
    "White space is what ECMAScript's `trim` removes.": [
      'Refuse a text with white space around it; do not trim it. #invalid-enquiry',
      ...[' ', '\n', '\u00a0', '\u3000', '\ufeff'].flatMap((space) => textRows(space, `${space}a`, `a${space}`)),
    ],
    'no control characters, no line breaks, no lone surrogates': [
      'Use the patterns of openapi.yaml. #invalid-enquiry',
      ...textRows('a\nb', 'a\0b', 'a\u007fb', 'a\u0085b', 'a\u2028b'),
    ],
    'another method on a known path with 405 and an `Allow` header': [
      "Replace the framework's own answer. #method-not-allowed",
      ...['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'].map((method) => call(method, path, 405)),
    ],
    '`/api` and an unknown path below it are answered with 404': [
      "Replace the framework's own answer; ignore neither case nor a slash at the end. #not-found",
      ...['POST', 'GET'].flatMap((method) => [`${path}/more`, '/api'].map((other) => call(method, other, 404))),
      ...[`${path}/`, path.toUpperCase().replace('/API', '/api')].map((other) => call('POST', other, 404)),
    ],
    'A UUID that the sender makes for one enquiry and repeats whenever it sends that enquiry again.': [
      'Accept every version, in any case, but only in the spelling of the pattern. #the-idempotency-key',
      ...['1', '7'].map((version) => keyRow(uuid.replace(/(?<=^.{14})./, version))),
      ...['no', '', `${uuid}0`, uuid.replaceAll('-', '')].map(keyRow),
    ],
    'The page then repeats its value, URI-decoded, in the header `X-XSRF-TOKEN`': [
      'Compare after URI-decoding the cookie once. #the-token-cookie',
      token('XSRF-TOKEN=', null, 200), // An empty cookie counts as none.
      ...['one', 'two'].map((value) => token('XSRF-TOKEN=one; XSRF-TOKEN=two', value, 200)),
      token('XSRF-TOKEN=a%2Fb', 'a/b', 200),
      token('XSRF-TOKEN=%zz', '%zz', 200), // This value can't be decoded, and is compared as it is.
      token('XSRF-TOKEN=a+b==', 'a+b==', 200), // As Base64 ends.
    ],
    'A backend that uses the scheme answers 403 to a request whose cookie and header differ': [
      'Decode the cookie, then compare the whole texts exactly. #the-token-cookie',
      ...['two', null, 'ONE', 'on', 'ones'].map((value) => token('XSRF-TOKEN=one', value, 403)),
    ],
  }
}
