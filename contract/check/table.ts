import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Fields, Headers } from '../calls.ts'
import type { Operation } from '../operations.ts'
import type { Expected } from './answer.ts'
import { addressOf, type Change, exampleOf, newAddress, newKey, newLocalPart, SETTINGS } from './call.ts'
import { short } from './fault.ts'

/** How a call differs from the contract's example, in words; the status that has to come; and the difference itself. */
type Row = readonly [title: string, expected: Expected, change: Change]
/** Advice for a backend that breaks a sentence, and the calls that show whether it does. */
type Calls = readonly [advice: string, ...rows: Row[]]

/** The largest body that is accepted. */
export const LIMIT = 65_536
export const CHUNKED = { 'transfer-encoding': 'chunked' }

const json = (value: unknown) =>
  short(
    JSON.stringify(value, (_, part) => (part === undefined ? 'missing' : part)),
    100,
  )
const headers = (headers: Headers, expected: Expected): Row => [json(headers), expected, { headers }]
const type = (value: string | null, expected: number) => headers({ 'content-type': value }, expected)
const token = (cookie: string, token: string | null, expected: number) =>
  headers({ cookie, 'x-xsrf-token': token }, expected)
const body = (text: string, expected: Expected): Row => [short(text, 100) || 'no body', expected, { body: text }]
const value = (text: string) => body(`{"email":${text}}`, 400)
const edited = (title: string, edit: (json: string) => string | Buffer): Row => [title, 400, { edit }]
const fields = (fields: Fields, expected: Expected): Row => [json(fields), expected, { fields }]
const email = (value: string, expected: number) => fields({ '/email': value }, expected)
const ending = (end: string, expected: number) => email(newLocalPart() + end, expected)
const call = (method: string, path: string, expected: number): Row => [`${method} ${path}`, expected, { method, path }]

/** The example with bytes, in hexadecimal, before the @ of its address. */
const withBytes = (hex: string) => (json: string) =>
  Buffer.concat([Buffer.from(json.replace(/@.*/, '')), Buffer.from(hex, 'hex'), Buffer.from(json.replace(/.*@/, '@'))])

const SPACES = ' \t\n\r\v\u00a0\u1680\u2003\u2028\u3000\ufeff'
/** Names of no field, though some become the name of a field by cutting, trimming or a change of case. */
const UNKNOWN_NAMES = ['more', 'a~1b~0c', 'Email', 'm\u017fg', 'email ', 'email\0', 'emails', 'constructor', '']

/** For each sentence of the contract, the calls that show whether a backend keeps it, the simplest first. */
export function tableOf(operation: Operation): Readonly<Record<string, Calls>> {
  const { path, objects, isRequest, areHeaders } = operation
  const uuid = newKey()
  const { origin, runId } = SETTINGS
  const pointers = operation.fields.map(({ pointer }) => pointer)
  const inner = objects.filter((pointer) => pointer !== '')
  const textFields = operation.fields.filter(({ pointer }) => pointer !== '/email')
  const empty = (pointers: readonly string[]) => Object.fromEntries(pointers.map((pointer) => [pointer, '']))
  const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`more${i}`, i]))
  const browser = { origin, referer: `${origin}/`, 'sec-fetch-site': 'same-origin', accept: '*/*' }
  const proxied = { ...browser, origin: 'http://backend.internal:8080' }
  const textRow = (fieldsSent: Fields) => fields(fieldsSent, isRequest(exampleOf(operation, fieldsSent)) ? 200 : 422)
  const textRows = (...texts: string[]) =>
    textFields.flatMap(({ pointer }) => texts.map((text) => textRow({ [pointer]: text })))
  const keyRow = (value: string | readonly string[]) =>
    headers({ 'idempotency-key': value }, areHeaders({ 'idempotency-key': value }) ? 200 : 422)
  return {
    'A request with neither header does not come from a browser, and is accepted.': [
      'If the backend knows itself or the page by another name, add --origin https://their.site.',
      ['the example of the contract', 200, {}],
      ['as curl sends it', 200, { headers: { 'user-agent': 'curl/8.5', accept: '*/*' } }],
      ['with another referrer', 200, { headers: { referer: 'https://elsewhere.example/' } }],
    ],
    'A backend may answer 403 to a call of a page of another site, but never to its own page.': [
      'If the backend knows the page by another origin, add --origin https://their.site.',
      ['as a browser sends it', 200, { headers: browser }],
      ['as an old browser sends it', 200, { headers: { origin, referer: `${origin}/` } }],
      ['behind a proxy that changes Origin', 200, { headers: proxied }],
      ['from a page with no-referrer', 200, { headers: { ...browser, origin: 'null' } }],
      ['from another site', [200, 403], { headers: { ...browser, 'sec-fetch-site': 'cross-site' } }],
    ],
    'a `charset`, quoted or not, is `utf-8` or `utf8`, in any case.': [
      'Parse the type with a library for it: many clients add a charset by themselves.',
      type('Application/JSON', 200),
      ...['utf-8', 'UTF-8', '"utf-8"', 'utf8'].map((charset) => type(`application/json; charset=${charset}`, 200)),
      type('application/json;version=1', 200), // Other parameters are ignored.
      headers({ 'content-encoding': 'identity' }, 200),
    ],
    'Another type, another `charset` and every `Content-Encoding` except `identity`': [
      'A form of another site can send text/plain without asking: 415 is a part of the protection.',
      ...[null, 'text/plain', 'text/json', 'application/jsonx', `application/x-${runId}`].map((contentType) =>
        type(contentType, 415),
      ),
      ...['x-www-form-urlencoded', 'problem+json'].map((subtype) => type(`application/${subtype}`, 415)),
      type('multipart/form-data; boundary=x', 415),
      type('text/plain; a=application/json', 415), // Finds a backend that looks for JSON anywhere in the header.
      ...['iso-8859-1', '"utf-16"'].map((charset) => type(`application/json; charset=${charset}`, 415)),
      ['gzip', 415, { edit: gzipSync, headers: { 'content-encoding': 'gzip' } }],
      ['deflate', 415, { edit: deflateSync, headers: { 'content-encoding': 'deflate' } }],
      ['br', 415, { edit: brotliCompressSync, headers: { 'content-encoding': 'br' } }],
      headers({ 'content-encoding': `unknown-${runId}` }, 415),
    ],
    'A query string is ignored.': [
      'Take neither a field nor another method from it, nor a method from X-HTTP-Method-Override.',
      ['?_method=PUT', 200, { path: `${path}?email=&_method=PUT`, headers: { 'x-http-method-override': 'PUT' } }],
      ['?email=… beside {}', 422, { path: `${path}?email=contract%40example.com`, body: '{}' }],
    ],
    'A body has a `Content-Length` or comes in chunks.': [
      'Take 65,536 bytes in both ways. A gateway in front may have a limit of its own.',
      ['65,536 bytes', 200, { edit: (json) => json.padEnd(LIMIT) }],
      ['65,536 bytes in chunks', 200, { edit: (json) => json.padEnd(LIMIT), headers: CHUNKED }],
    ],
    'one over 64 KiB with 413': [
      'Count bytes as they arrive, and read the rest before you close: else the caller sees no 413.',
      ['65,537 bytes', 413, { edit: (json) => json.padEnd(LIMIT + 1) }],
      ['65,537 bytes in chunks', 413, { edit: (json) => json.padEnd(LIMIT + 1), headers: CHUNKED }],
      ['65,536 characters at most', 413, { edit: (json) => json.padEnd(60_000) + '😀'.repeat(1400), headers: CHUNKED }],
    ],
    'A body that is not JSON, begins with a byte order mark or is not valid UTF-8 is answered with 400': [
      'Decode UTF-8 strictly, and switch off all that the parser accepts beyond RFC 8259.',
      ...['', ' ', '{}}', 'NaN', '- email: a', '{"email":"a",,"msg":"b"}', 'email=a'].map((text) => body(text, 400)),
      ...['NaN', '01', '.5', '0x1', '[1,]', '"a\tb"', '"a\nb"', '"\\x41"'].map(value),
      edited('cut off', (json) => json.slice(0, -1)),
      edited('a sign after it', (json) => `${json}x`),
      edited('sent twice', (json) => json + json),
      edited('U+00A0 before it, U+0000 after it', (json) => `\u00a0${json}\0`),
      edited('a comment after it', (json) => `${json}// more`),
      edited('a comma before the brace', (json) => json.replace('}', ',}')),
      edited('single quotes', (json) => json.replaceAll('"', "'")),
      edited('names without quotes', (json) => json.replaceAll(/"(\w+)":/g, '$1:')),
      edited('a byte order mark', (json) => `\ufeff${json}`),
      edited('UTF-16', (json) => Buffer.from(json, 'utf16le')),
      edited('ISO 8859-1', withBytes('e9')),
      edited('overlong UTF-8', withBytes('c080')),
      edited('a surrogate in UTF-8', withBytes('eda080')),
      edited('UTF-8 beyond Unicode', withBytes('f4908080')),
    ],
    'Values that are nested deep, however deep, and numbers that are too large are refused with 400 or 422.': [
      'Limit the depth that the parser takes, or catch the overflow of its stack.',
      body('['.repeat(20_000) + ']'.repeat(20_000), [400, 422]),
      body(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, [400, 422]),
      body(`{"email":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, [400, 422]),
      body('{"email":1e999}', [400, 422]),
    ],
    'So is a text with an escaped lone surrogate.': [
      'Refuse it before the parser makes U+FFFD of it.',
      ...textFields.map(({ pointer }) => fields({ [pointer]: 'a\ud800b' }, [400, 422])),
    ],
    'Of two fields with the same name the last counts, or the body is refused with 400.': [
      'Parse the body once, so that the checked value is the stored one.',
      ['a second "email":5', [400, 422], { edit: (json) => json.replace(/}$/, ',"email":5}') }],
    ],
    'one that breaks a schema here with 422': [
      'Switch off the conversion of one type into another.',
      ...[null, 5, true, ['a list'], {}].flatMap((wrong) => pointers.map((at) => fields({ [at]: wrong }, 422))),
      ...[null, 'text', [], [{}]].flatMap((wrong) => inner.map((at) => fields({ [at]: wrong }, 422))),
      ...[null, 'text', 5, [], [exampleOf(operation)]].map((wrong) => body(JSON.stringify(wrong), 422)),
      fields({ '/email': [newAddress()] }, 422),
      ['the example as JSON in a text', 422, { edit: JSON.stringify }],
    ],
    'A missing field is named as if it were there; of a missing object only the object is named.': [
      'Name the object, not the fields that it would have.',
      body('{}', 422),
      ...[...pointers, ...inner].map((pointer) => fields({ [pointer]: undefined }, 422)),
      ...inner.map((pointer) => fields({ [pointer]: {} }, 422)),
      ...inner.map((pointer) => fields({ [pointer]: undefined, '/name.first': 'a', '/name.last': 'b' }, 422)),
    ],
    'Each field at fault, once; if there are more than 20, any 20 of them.': [
      'Collect all faults before you answer: a validator that stops at the first makes the caller guess.',
      ['asked for HTML', 422, { fields: { '/email': 'no address at all' }, headers: { accept: 'text/html' } }],
      fields(empty(pointers), 422),
      fields({ ...empty(pointers), '/email': 5, '/more': null }, 422),
      fields(empty(objects.map((object) => `${object}/more`)), 422),
      ['15 unknown fields', 422, { body: { ...exampleOf(operation), ...unknown(15) } }],
      ['1,000 unknown fields', 422, { body: { ...exampleOf(operation), ...unknown(1000) } }],
      ['a name of 20,000 characters', 422, { fields: { [`/${'~0~1'.repeat(10_000)}`]: 1 } }],
    ],
    'No field without a fault is named.': [
      'Refuse an unknown field in every object, whatever its value. Compare names exactly.',
      ...[null, false, ''].map((value) => fields({ '/more': value }, 422)),
      ...objects.flatMap((object) => UNKNOWN_NAMES.map((name) => fields({ [`${object}/${name}`]: 'another' }, 422))),
      ['__proto__', 422, { edit: (json) => json.replaceAll('{', '{"__proto__":{"more":1},') }],
    ],
    'An email address as the HTML standard defines it, with at least one dot in the domain': [
      'Use the pattern of openapi.yaml: what libraries take for an address differs from it.',
      ...[addressOf(254, 64), addressOf(254, 60)].map((address) => email(address, 200)),
      ...['..b.@example.com', "!#$%&'*+-/=?^_`{|}~.@example.com", '@a--b.1.example.com'].map((end) => ending(end, 200)),
      ...['@xn--bcher-kva.example.com', '@example.c', '@example.1'].map((end) => ending(end, 200)),
      ...[addressOf(255, 64), addressOf(200, 65), '@example.com'].map((address) => email(address, 422)),
      ...['', '@', '@example', '@localhost', '@a..example.com', '@a_b.example.com'].map((end) => ending(end, 422)),
      ...['@-a.example.com', '@a-.example.com', '@example.com-', '@example.com.'].map((end) => ending(end, 422)),
      ...[`@${'b'.repeat(64)}.example.com`, '@a@example.com', ',a@example.com'].map((end) => ending(end, 422)),
      ...[' b', '(b)', '"b"', 'ä', '\u212a', '١'].map((local) => ending(`${local}@example.com`, 422)),
      ...['@[127.0.0.1]', '@bücher.example.com', '@example.com,a@example.com'].map((end) => ending(end, 422)),
      ...['\t', '\n', ' ', '\u00a0'].map((space) => email(newAddress() + space, 422)),
      ...['\t', '\n', ' ', '\u00a0'].map((space) => email(space + newAddress(), 422)),
      email(`"${newLocalPart()}"@example.com`, 422),
    ],
    '**Lengths** count Unicode code points.': [
      'Count code points before you escape a text, not bytes or UTF-16 units. A column has to hold as much.',
      ...textFields.flatMap(({ pointer, maxLength }) => [
        ...['', 'a', 'e\u0301'.repeat(maxLength / 2 + 1)].map((text) => textRow({ [pointer]: text })),
        ...['a', '😀', '&'].map((sign) => textRow({ [pointer]: sign.repeat(maxLength) })),
        ...['a', '😀', '&'].map((sign) => textRow({ [pointer]: sign.repeat(maxLength + 1) })),
      ]),
    ],
    'Free text in any script, line breaks included.': [
      'Filter, decode and normalise nothing: the schema says what is refused.',
      ...textRows(
        'Ñandú Όνομα Имя שם اسم नाम ชื่อ 名前 이름 ስም 𐌽𐌰𐌼𐍉',
        '\u200be\u0301\u202ea\u0308\u200b', // Invisible characters are no white space.
        '👩‍🚒 🇩🇪 👍🏽 \u{10fffd}\ue000', // Four bytes each, which a column of three refuses.
        `O'Ab-"\\</script> ' OR 1=1; -- ../../etc/passwd`, // Texts that a firewall refuses, or that break SQL.
        'a\u0001\u0007\b\t\n\v\f\r\u001b\u001f\u007f\u0085\u009f\u2028z',
      ),
      ...textRows('%00', '0', 'null', 'true', '[]'), // A second decoding would change these.
    ],
    "White space is what ECMAScript's `trim` removes.": [
      'Refuse a text with white space around it; do not trim it.',
      ...[...SPACES].flatMap((space) => textRows(space, `${space}a`, `a${space}`)),
    ],
    'no control characters, no line breaks, no lone surrogates': [
      'Use the patterns of openapi.yaml.',
      ...[...'\t\n\0\u001f\u007f\u0085\u2028'].flatMap((sign) => textRows(`a${sign}b`)),
    ],
    'another method on a known path with 405 and an `Allow` header': [
      'Take no other method from a query string or X-HTTP-Method-Override.',
      ...['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'].map((method) => call(method, path, 405)),
      call('GET', `${path}?_method=POST`, 405),
      ['X-HTTP-Method-Override', 405, { method: 'PUT', headers: { 'x-http-method-override': 'POST' } }],
    ],
    '`/api` and an unknown path below it are answered with 404': [
      'Configure the router not to ignore case, an ending or a trailing slash.',
      ...['POST', 'GET', 'DELETE', 'HEAD'].map((method) => call(method, `${path}/more`, 404)),
      ...['/api', '/api/', `/api/${runId}`].flatMap((other) => [call('POST', other, 404), call('GET', other, 404)]),
      ...['/', 's', '.json'].map((end) => call('POST', path + end, 404)),
      call('POST', path.toUpperCase().replace('/API', '/api'), 404),
    ],
    'A UUID that the sender makes for one enquiry and repeats whenever it sends that enquiry again.': [
      'Accept every version and variant, in any case, but only in the spelling of the pattern.',
      ...['1', '7'].map((version) => keyRow(uuid.replace(/(?<=^.{14})./, version))),
      keyRow(uuid.replace(/(?<=^.{19})./, '0')), // A reserved variant.
      ...[`no-uuid-${runId}`, '', uuid.slice(1), `${uuid}0`, uuid.replace('a', 'g'), [uuid, uuid]].map(keyRow),
      ...[uuid.replaceAll('-', ''), `{${uuid}}`, `urn:uuid:${uuid}`].map(keyRow), // Some libraries accept these.
      ['no UUID beside faults', 422, { fields: { '/email': '', '/more': 1 }, headers: { 'idempotency-key': 'no' } }],
    ],
    'The page then repeats its value, URI-decoded, in the header `X-XSRF-TOKEN`': [
      'Read the header Cookie yourself if the library decodes it, or refuses cookies of other scripts.',
      token('XSRF-TOKEN=', null, 200), // An empty cookie counts as none.
      token('XSRF-TOKEN-2=two; xsrf-token=one', null, 200), // These are cookies of other names.
      token('other={"a":"b, c"}; XSRF-TOKEN=one', 'one', 200),
      ...['one', 'two'].map((value) => token('XSRF-TOKEN=one; XSRF-TOKEN=two', value, 200)),
      token('XSRF-TOKEN=; XSRF-TOKEN=two', 'two', 200),
      token('XSRF-TOKEN=a%2Fb', 'a/b', 200),
      token('XSRF-TOKEN=a+b', 'a+b', 200), // A plus is no blank here; in forms it is.
      token('XSRF-TOKEN=a%252Fb', 'a%2Fb', 200),
      token('XSRF-TOKEN=%zz', '%zz', 200), // This value can't be decoded, and is compared as it is.
      token('XSRF-TOKEN=a=b==', 'a=b==', 200), // As Base64 ends.
    ],
    'A backend that uses the scheme answers 403 to a request whose cookie and header differ': [
      'Decode the cookie, then compare the whole texts exactly.',
      ...['two', null, 'ONE', 'on', 'ones'].map((value) => token('XSRF-TOKEN=one', value, 403)),
      token('XSRF-TOKEN=; XSRF-TOKEN=two', 'three', 403),
      token('other={"a":"b, c"}; XSRF-TOKEN=one', 'two', 403),
      token('XSRF-TOKEN=a%2Fb', 'a%2Fb', 403),
      token('XSRF-TOKEN=a%252Fb', 'a/b', 403), // Finds a backend that decodes twice.
      token('XSRF-TOKEN=0e12', '0e34', 403), // Finds a backend that compares numbers.
    ],
    'A value over 4,096 characters is refused': ['', headers({ 'x-xsrf-token': 'a'.repeat(4097) }, [403, 422, 431])],
  }
}
