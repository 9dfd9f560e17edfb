import { gzipSync } from 'node:zlib'
import type { Field, Operation } from '../contract/operations.ts'
import type { Call } from './client.ts'
import { type CheckContext, type Expected, namedErrors, type Planned, sequence } from './context.ts'
import { addressOf, bodyOf, newAddress, newLocalPart, request, setAt } from './requests.ts'

const MAX_BODY_BYTES = 65_536
const JSON_TYPES = [
  ...['application/json; charset=utf-8', 'application/json;charset=utf8'],
  'Application/JSON;charset="UTF-8";profile="a;b"',
]
const FORM = 'email=contract%40example.com'
const INVALID_JSON = ['', ' ', '{', 'NaN', 'undefined', FORM, '<email/>', 'contract@example.com']
const DEEP = '['.repeat(20_000) + ']'.repeat(20_000)
const BOM = '\ufeff'
const INVALID_UTF8 = ['ff', 'c080', 'eda080', 'e9']
const NOT_OBJECTS = ['null', '[]', '"text"', '1']
const NOT_TEXTS = [true, false, 0, 1.5, null, [], {}, ['text'], { length: 5 }]
const UNKNOWN = ['more', 'Email', 'success', 'constructor', '__proto__']
const MANY_UNKNOWN = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`more${i}`, i]))
type Token = Readonly<Record<'cookie' | 'x-xsrf-token', string | null>>
const token = (cookie: string, header: string | null): Token => ({ cookie, 'x-xsrf-token': header })
const [RIGHT_TOKENS, WRONG_TOKENS]: [Token[], Token[]] = [
  [
    ...[token('XSRF-TOKEN=', null), token('XSRF-TOKEN-2=two; other', null), token('XSRF-TOKEN=a%2Fb', 'a/b')],
    token('XSRF-TOKEN=a+b', 'a+b'),
    ...[token('XSRF-TOKEN=%zz', '%zz'), ...['one', 'two'].map((it) => token('XSRF-TOKEN=one; XSRF-TOKEN=two', it))],
  ],
  [token('XSRF-TOKEN=%zz', 'zz'), token('XSRF-TOKEN=one; XSRF-TOKEN=two', 'three'), token('XSRF-TOKEN=one', 'ONE')],
]
const OTHER_SITES = [
  ...['https://elsewhere.example', 'null'].map((origin) => ({ origin })),
  ...['cross-site', 'same-site'].map((site) => ({ origin: 'https://elsewhere.example', 'sec-fetch-site': site })),
]
const CHUNKED = { 'transfer-encoding': 'chunked' }
const OTHER_METHODS = ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']
const OTHER_PATHS = (path: string) => [
  ...['/api/no-such-path', `${path}/more`, `${path}s`, `${path}/`],
  // Paths are case-sensitive (RFC 3986).
  path.replace(/[^/]*$/, (name) => `${name[0]?.toUpperCase()}${name.slice(1)}`),
]

const EMOJI = '😀'
const SCRIPTS = ['Ñandú', 'Όνομα', 'Имя', 'שם', 'اسم', 'नाम', 'ชื่อ', '名前', '이름', 'ስም', '𐌽𐌰𐌼𐍉']
const MARKS = ['e\u0301a\u0308', 'ab\u202Ecd', '👩‍🚒 🇩🇪 👍🏽', `O'Ab-"\\</script>`, "'; --", 'null', '\u200B']
const ODD_TEXTS = [...SCRIPTS, ...MARKS]
const LINES = `${ODD_TEXTS.join('\n')}\r\n\tx`
const UNITS = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit))
const CONTROLS = [...UNITS.filter((unit) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(unit)), '\ud800', '\udfff']
/** What ECMAScript's `trim` removes, and what other languages take for white space. */
const SPACES = [...UNITS.filter((unit) => unit.trim() === ''), ...'\u001c\u001d\u001e\u001f\u0085\u180e\u200b\u2060']
const ODD_LOCALS = ["!#$%&'*+/=?^_`{|}~-", '.a..b.', 'X']
/** After the start of an address, each of these makes it invalid. */
const INVALID_ENDS = [
  ...['', '@', '@b', '@b..com', ' b@example.com', '@-b.example.com', 'ä@example.com', '@exa_mple.com'],
  ...[`@${'b'.repeat(64)}.example.com`, `@example.${'b'.repeat(64)}`, '@b-.example.com', '@example.com.'],
]

/** Whether the page can read the cookie that this line sets. */
const isReadable = (line: string) => /; *path=\/ *(;|$)/i.test(line) && !/; *httponly/i.test(line)

/** The simplest request for each outcome, then what fields, bodies and headers may hold and what not, at each bound. */
export function requestChecks(operation: Operation, origin: string): Planned[] {
  const { path, fields, objects, isRequest, successOutcome, invalidOutcome } = operation
  const body = () => bodyOf(operation)
  const json = () => JSON.stringify(body())
  const post = (body: unknown, headers = {}) => request('POST', path, body, headers)
  const posts = (...bodies: unknown[]) => bodies.map((body) => post(body))
  const typed = (types: string[]) => types.map((type) => post(json(), { 'content-type': type }))
  const emails = (...values: string[]) => posts(...values.map((email) => ({ ...body(), email })))
  const isAllowed = ({ pointer }: Field, value: unknown) => isRequest(setAt(body(), pointer, value))
  // The schema says which values are valid.
  const inEach = (wanted: boolean, fields: readonly Field[], valuesOf: (field: Field) => readonly unknown[]) =>
    fields.flatMap((field) =>
      valuesOf(field)
        .filter((value) => isAllowed(field, value) === wanted)
        .map((value) => post(setAt(body(), field.pointer, value))),
    )
  const texts = fields.filter(({ pointer }) => pointer !== '/email')
  const inTexts = (wanted: boolean, valuesOf: (field: Field) => readonly string[]) => inEach(wanted, texts, valuesOf)
  /** Spreads these texts over the fields. */
  const acrossFields = (wanted: boolean, values: readonly string[]) =>
    [texts.slice(0, -1), texts.slice(-1)].flatMap((fields) =>
      values.flatMap((text, i) => {
        const field = fields[i % fields.length]
        return field && isAllowed(field, text) === wanted ? [post(setAt(body(), field.pointer, text))] : []
      }),
    )
  const amid = CONTROLS.map((control) => `a${control}b`)
  const around = [...SPACES.map((space) => `${space}text`), 'text', ...SPACES.map((space) => `text${space}`)]
  /** A body with these bytes inside a text. */
  const withBytes = (hex: string) => {
    const [start = '', end = ''] = JSON.stringify(setAt(body(), texts[0]?.pointer ?? '/email', 'a|b')).split('|')
    return Buffer.concat([Buffer.from(start), Buffer.from(hex, 'hex'), Buffer.from(end)])
  }

  const checks = (outcome: string, expected: number | Expected, callsByTitle: Record<string, Call[]>): Planned[] =>
    Object.entries(callsByTitle)
      .filter(([, calls]) => calls.length > 0)
      .map(([title, calls]) => ({ outcome, title, run: sequence([expected, ...calls]) }))

  return [
    ...checks(successOutcome, 200, {
      'a valid body is accepted': posts(json()),
      'a call as browsers send it is accepted': [
        post(json(), { origin, referer: `${origin}/`, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }),
        post(json(), { origin }),
      ],
      'a first call needs no cookie and no token': [post(json(), { cookie: null, 'x-xsrf-token': null })],
      'a cookie that is empty, doubled or can’t be decoded counts as the contract says': RIGHT_TOKENS.map((token) =>
        post(json(), token),
      ),
      'the type may be in any case and have parameters': typed(JSON_TYPES),
      'a query string is ignored': [request('POST', `${path}?from=contract&email=`, json())],
      'a body of 65,536 bytes is accepted': posts(json().padEnd(MAX_BODY_BYTES)),
      'a body in chunks is accepted': [
        post(json(), CHUNKED),
        ...inTexts(true, () => [SCRIPTS.join(' ')]).map((call) => ({
          ...call,
          headers: { ...call.headers, ...CHUNKED },
        })),
        post(json().padEnd(MAX_BODY_BYTES), CHUNKED),
      ],
      'JSON may be written in escapes, with white space': posts(` \r\n\t${json().replaceAll('@', '\\u0040')}\n`),
      'addresses at and below their bounds are accepted': emails(
        ...[addressOf(254, 64), addressOf(254, 63), addressOf(253, 64), addressOf(253, 63)],
      ),
      'addresses with every character they may have are accepted': emails(
        ...[...ODD_LOCALS.map((odd) => `${newLocalPart()}${odd}@example.com`), `${newLocalPart()}@1.a-b.example.com`],
        ...[`${newLocalPart()}@example.c`, `${newLocalPart()}@example.1`],
      ),
      'texts at and below their bounds are accepted': inTexts(true, ({ minLength, maxLength }) =>
        [minLength, maxLength - 1, maxLength].map((length) => 'a'.repeat(length)),
      ),
      'lengths count code points: as many emoji as letters are accepted': inTexts(true, ({ maxLength }) => [
        EMOJI.repeat(maxLength),
      ]),
      'texts in many scripts, right to left, with marks, emoji and quotes are accepted': inTexts(true, (field) =>
        isAllowed(field, LINES) ? [LINES] : ODD_TEXTS,
      ),
      'characters that are not white space may surround a field': acrossFields(true, around),
    }),
    { outcome: successOutcome, title: 'one connection carries many calls, refused ones among them', run: keepsAlive },
    { outcome: invalidOutcome, title: 'an invalid address is refused, and its field named', run: namesTheField },
    { outcome: invalidOutcome, title: 'each field at fault is named, and no other', run: namesEachField },
    ...checks(invalidOutcome, 422, {
      'addresses beyond their bounds are refused': emails(addressOf(255, 64), addressOf(200, 65)),
      'almost valid addresses are refused': [
        ...emails(...INVALID_ENDS.map((end) => newLocalPart() + end), '', '@example.com'),
        ...emails(`"${newLocalPart()}"@example.com`, `${newAddress()},${newAddress()}`, `A <${newAddress()}>`),
      ],
      'texts beyond their bounds are refused': inTexts(false, ({ maxLength }) => [
        ...['', 'a'.repeat(maxLength + 1), EMOJI.repeat(maxLength + 1)],
      ]),
      'control characters, line separators and lone surrogates are refused': acrossFields(false, amid),
      'white space around a field is refused, not trimmed': [
        ...emails(...SPACES.flatMap((space) => [`${space}${newAddress()}`, `${newAddress()}${space}`])),
        ...acrossFields(false, around),
      ],
      'other types than text are refused': [
        ...inEach(false, fields, () => NOT_TEXTS),
        ...posts(...NOT_OBJECTS, `[${json()}]`),
      ],
      'a missing field is refused': [...posts('{}'), ...inEach(false, fields, () => [undefined])],
      'an unknown field is refused, at every depth': objects.flatMap((object) =>
        UNKNOWN.map((name) => post(setAt(body(), `${object}/${name}`, name === '__proto__' ? { more: 1 } : 1))),
      ),
      'a thousand unknown fields are refused': posts({ ...body(), ...MANY_UNKNOWN }),
    }),
    ...checks(invalidOutcome, [403, 422, 431], {
      'a token over 4,096 characters is refused': [post(json(), token('XSRF-TOKEN=', 'a'.repeat(4097)))],
    }),
    ...checks('not-json', 400, {
      'half a body is refused': posts(json().slice(0, -1)),
      'almost valid JSON is refused': [
        ...posts(
          ...INVALID_JSON,
          json() + json(),
          json().replaceAll('"', "'"),
          json().replace('}', ',}'),
          `${json()}x`,
        ),
        post(json().replace('@', '\n@')),
      ],
      'a byte order mark is refused': posts(BOM + json()),
      'bytes that are not UTF-8 are refused': posts(...INVALID_UTF8.map(withBytes), Buffer.from(json(), 'utf16le')),
    }),
    ...checks('not-json', [400, 422], {
      'deep nesting is refused': posts(DEEP, '['.repeat(20_000), `{"email":${DEEP}}`),
    }),
    ...checks('too-large', 413, {
      'a body of 65,537 bytes is refused': posts(json().padEnd(MAX_BODY_BYTES + 1)),
      'a body of 65,537 bytes in chunks is refused': [post(json().padEnd(MAX_BODY_BYTES + 1), CHUNKED)],
    }),
    ...checks('too-large', 413, {
      'a body of 65,537 bytes in fewer characters is refused': texts.slice(-1).map(({ pointer, maxLength }) => {
        const enquiry = Buffer.from(JSON.stringify(setAt(body(), pointer, EMOJI.repeat(maxLength))))
        return post(Buffer.concat([enquiry, Buffer.alloc(MAX_BODY_BYTES + 1 - enquiry.length, ' ')]))
      }),
    }),
    { outcome: 'too-large', title: 'a huge body is refused', run: refusesHuge },
    ...checks('unsupported-media-type', 415, {
      'text/plain is refused': typed(['text/plain']),
      'a form, no type, other types and other charsets are refused': [
        post(FORM, { 'content-type': 'application/x-www-form-urlencoded' }),
        post(json(), { 'content-type': null }),
        ...typed(['application/jsonx', 'application/vnd.more+json']),
        ...typed(['iso-8859-1', 'us-ascii', 'utf-16'].map((charset) => `application/json; charset=${charset}`)),
      ],
      'a compressed body is refused': [
        post(gzipSync(json()), { 'content-encoding': 'gzip' }),
        post(json(), { 'content-encoding': 'br' }),
      ],
    }),
    { outcome: 'forbidden', title: 'a token that is wrong or missing is refused, and a fresh one works', run: forbids },
    { outcome: 'forbidden', title: 'a call from another site is refused in this form, if at all', run: mayForbid },
    ...checks('unsupported-media-type', [400, 403, 413, 415, 422], {
      'of several refusals that apply, one is answered': OTHER_SITES.map((site) =>
        post('{'.padEnd(MAX_BODY_BYTES + 1), {
          ...site,
          ...token('XSRF-TOKEN=one', 'two'),
          'content-type': 'text/plain',
        }),
      ),
    }),
    ...checks('method-not-allowed', 405, {
      'other methods are refused, and Allow names those that there are': OTHER_METHODS.map((method) =>
        request(method, path, method === 'GET' ? '' : json()),
      ),
    }),
    { outcome: 'method-not-allowed', title: 'HEAD is refused like other methods', run: refusesHead },
    ...checks('not-found', 404, {
      'other paths are not found, by any method': OTHER_PATHS(path).flatMap((other) =>
        ['POST', ...OTHER_METHODS].map((method) => request(method, other, method === 'GET' ? '' : json())),
      ),
    }),
  ]

  function keepsAlive(context: CheckContext) {
    return context.expectSequence([
      [200, post(json())],
      [422, ...posts(setAt(body(), '/email', 'none'), '{}')],
      [400, post(json().slice(0, -1))],
      [415, ...typed(['text/plain'])],
      [405, request('PUT', path, json())],
      [404, request('POST', `${path}/more`, json())],
      [413, post(json().padEnd(MAX_BODY_BYTES + 1))],
      [200, post(json()), post(json(), CHUNKED)],
    ])
  }

  async function namesTheField(context: CheckContext) {
    const { status, value } = await context.expect(post(setAt(body(), '/email', 'no address at all')), 422)
    const named = namedErrors(value)
    if (status === 422) context.assert(named.includes('/email'), '/errors name the field /email', named.join(', '))
  }

  async function namesEachField(context: CheckContext) {
    const pointers = fields.map(({ pointer }) => pointer)
    const unknown = [...objects.map((object) => `${object}/more`), '/a~1b~0c']
    for (const wrong of [...[...pointers, ...unknown].map((one) => [one]), pointers, unknown]) {
      if (context.isLost()) return
      const faulty = post(wrong.reduce((body, pointer) => setAt(body, pointer, ''), body()))
      const { status, value } = await context.expect(faulty, 422)
      const named = new Set(namedErrors(value))
      const isSame = named.size === wrong.length && wrong.every((pointer) => named.has(pointer))
      if (status === 422) context.assert(isSame, `/errors name ${wrong.join(', ')}`, [...named].join(', ') || 'none')
    }
  }

  async function refusesHuge(context: CheckContext) {
    const evaluation = await context.evaluate(post(json().padEnd(2e6)), 413)
    // A server may close the connection instead.
    if (evaluation.answer.status > 0) context.record(evaluation)
  }

  /** Its answer has no body, so that only status and headers count. */
  async function refusesHead(context: CheckContext) {
    const exchange = await context.send(request('HEAD', path, '', { 'content-type': null }))
    const { status, headers } = exchange.answer
    const actual = `${status}, Allow: ${headers.allow ?? 'none'}`
    const isRefused = status === 405 && String(headers.allow).includes('POST')
    context.record({ ...exchange, differences: isRefused ? [] : [{ expected: '405, Allow: POST', actual }] })
  }

  async function mayForbid(context: CheckContext) {
    for (const site of OTHER_SITES) {
      if (context.isLost()) return
      const { status } = await context.expect(post(json(), site), [200, 403])
      if (status === 200) context.note('some are accepted, which a backend may do')
    }
  }

  async function forbids(context: CheckContext) {
    await context.expect(post(json()), 200)
    const first = context.token()
    if (first) context.assert(isReadable(first), 'XSRF-TOKEN with Path=/, without HttpOnly', first)
    else {
      const { status } = await context.expect(post(json(), token('XSRF-TOKEN=one', 'two')), [200, 403])
      if (status !== 403) return context.skip('this backend does not use the cookie XSRF-TOKEN')
    }
    for (const token of ['wrong', null]) {
      const { status, headers } = await context.expect(post(json(), { 'x-xsrf-token': token }), 403)
      const cookies = [headers['set-cookie'] ?? []].flat()
      const cookie = cookies.find((line) => line.startsWith('XSRF-TOKEN=')) ?? 'no fresh cookie'
      if (status === 403) context.assert(isReadable(cookie), 'XSRF-TOKEN afresh, with Path=/, without HttpOnly', cookie)
    }
    for (const token of WRONG_TOKENS) await context.expect(post(json(), token), 403)
    await context.expect(post(json()), 200)
  }
}
