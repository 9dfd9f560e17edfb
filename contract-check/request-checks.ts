import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import type { Field, Operation } from '../contract/operations.ts'
import type { Call } from './client.ts'
import { type CheckContext, type Expected, type Planned, sequence } from './context.ts'
import { addressOf, bodyOf, escaped, newAddress, newLocalPart, REFUSED, RUN_ID, request, setAt } from './requests.ts'
import {
  almostJson,
  BOM,
  CLUSTERS,
  CONTROLS,
  DEEP,
  EMOJI,
  FORM,
  INVALID_ENDS,
  INVALID_JSON,
  INVALID_UTF8,
  JSON_TYPES,
  LOCAL_SIGNS,
  LONG_NAME,
  MANY_UNKNOWN,
  MARKS,
  NOT_OBJECTS,
  NOT_TEXTS,
  ODD_DOMAINS,
  OTHER_CODINGS,
  OTHER_METHODS,
  OTHER_SITES,
  OTHER_TYPES,
  otherPaths,
  SCRIPTS,
  SINGLES,
  SPACES,
  UNKNOWN,
} from './samples.ts'

const MAX_BODY_BYTES = 65_536
const CHUNKED = { 'transfer-encoding': 'chunked' }

/** What the contract says, word for word; the report quotes it. */
const RULES = {
  200: 'The backend understood the request; `success` tells whether it was accepted.',
  ownPage: 'A backend may answer 403 to what a page of another site sends, but never to its own page.',
  noBrowser: 'A request with neither header does not come from a browser, and is accepted.',
  firstCall: 'A request without the cookie needs no header, so a first call and a mock always work.',
  type: 'Requests carry `Content-Type: application/json`, in UTF-8',
  otherType:
    'Another type, another `charset` and every `Content-Encoding` except `identity`, in any case, are answered with 415',
  query: 'A query string is ignored.',
  size: 'one over 64 KiB with 413',
  chunks: 'A body has a `Content-Length` or comes in chunks.',
  json: 'A body that is not JSON, begins with a byte order mark or is not valid UTF-8 is answered with 400',
  twice: 'Of two fields of one name the last counts, or the body is refused with 400.',
  deep: 'Values that are nested deep, however deep, and numbers that are too large are refused with 400 or 422.',
  schema: 'one that breaks a schema here with 422',
  email:
    'An email address as the HTML standard defines it, with at least one dot in the domain, at most 64 characters before the @ and 254 in all.',
  lengths: '**Lengths** count Unicode code points.',
  text: 'Free text in any script, line breaks included.',
  space: "White space is what ECMAScript's `trim` removes.",
  named: 'Each field at fault, once; if there are more than 20, any 20 of them.',
  token:
    "A value over 4,096 characters is refused: with 422, with 403 if no cookie equals it, or with the server's own 431.",
  connection: 'After an answer the connection takes the next call, unless the answer says `Connection: close`.',
  order: 'Where several refusals apply, 403 and 429 included, the backend chooses one of them.',
  method: 'another method on a known path with 405 and an `Allow` header',
  head: 'An answer to HEAD has no body.',
  path: '`/api` and an unknown path below it are answered with 404',
} as const

/** The simplest request for each outcome, then what fields, bodies and headers may hold and what not, at each bound. */
export function requestChecks(operation: Operation, origin: string): Planned[] {
  const { path, fields, objects, isRequest, successOutcome, invalidOutcome } = operation
  const body = () => bodyOf(operation)
  const json = () => JSON.stringify(body())
  const post = (body: unknown, headers: Call['headers'] = {}) => request('POST', path, body, headers)
  const posts = (...bodies: unknown[]) => bodies.map((body) => post(body))
  const typed = (types: string[]) => types.map((type) => post(json(), { 'content-type': type }))
  const encoded = (codings: string[]) => codings.map((coding) => post(json(), { 'content-encoding': coding }))
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
  const lines = `${[...SCRIPTS, ...MARKS].join(' \n ')}\r\n\tx`
  const amid = CONTROLS.map((control) => `a${control}b`)
  const around = [...SPACES.map((space) => `${space}text`), 'text', ...SPACES.map((space) => `text${space}`)]
  const inner = objects.filter((pointer) => pointer !== '')
  const pointers = fields.map(({ pointer }) => pointer)
  const unknown = [...objects.map((object) => `${object}/more`), '/a~1b~0c']
  const emptied = (pointers: readonly string[]) => pointers.reduce((body, pointer) => setAt(body, pointer, ''), body())
  const withUnknown = (object: string, name: string) =>
    setAt(body(), `${object}/${escaped(name)}`, name === '__proto__' ? { more: 1 } : `more ${RUN_ID}`)
  /** A body with these bytes inside a text. */
  const withBytes = (hex: string) => {
    const [start = '', end = ''] = JSON.stringify(setAt(body(), texts[0]?.pointer ?? '/email', 'a|b')).split('|')
    return Buffer.concat([Buffer.from(start), Buffer.from(hex, 'hex'), Buffer.from(end)])
  }

  const table =
    (outcome: string, expected: number | Expected) =>
    (title: string, rule: string, calls: readonly Call[]): Planned[] =>
      calls.length > 0 ? [{ outcome, title, rule, run: sequence([expected, ...calls]) }] : []
  const accepted = table(successOutcome, 200)
  const invalid = table(invalidOutcome, 422)
  const notJson = table('not-json', 400)
  const tooLarge = table('too-large', 413)
  const otherType = table('unsupported-media-type', 415)
  const own = (outcome: string, title: string, rule: string, run: Planned['run']): Planned => ({
    outcome,
    title,
    rule,
    run,
  })

  const asBrowsers = [
    post(json(), { origin, referer: `${origin}/`, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }),
    post(json(), { origin, accept: '*/*', 'accept-language': 'tlh' }),
    post(json(), { 'sec-fetch-site': 'same-origin' }),
    post(json(), { 'content-type': null, 'CONTENT-TYPE': 'application/json', ORIGIN: origin }),
    post(json(), { origin: 'null', 'sec-fetch-site': 'same-origin' }),
    // A proxy may have changed the origin; the browser's own word for it counts.
    ...['http://backend.internal:8080', 'https://backend.internal'].map((other) =>
      post(json(), { origin: other, 'sec-fetch-site': 'same-origin' }),
    ),
  ]
  const inChunks = [json(), json().padEnd(MAX_BODY_BYTES)].map((text) => post(text, CHUNKED))
  const scriptsInChunks = inTexts(true, () => [SCRIPTS.join(' ')]).map(({ body }) => post(body, CHUNKED))
  const atBounds = [addressOf(254, 64), addressOf(254, 63), addressOf(253, 64), addressOf(253, 63)]
  const oddAddresses = [
    ...[LOCAL_SIGNS, '.a..b.', 'X'].map((odd) => `${newLocalPart()}${odd}@example.com`),
    ...ODD_DOMAINS.map((domain) => `${newLocalPart()}@${domain}`),
  ]
  const invalidAddresses = [
    ...[...INVALID_ENDS.map((end) => newLocalPart() + end), '', '@example.com', `"${newLocalPart()}"@example.com`],
    ...[`${newAddress()},${newAddress()}`, `A <${newAddress()}>`],
  ]
  const allAtFault = post(setAt(setAt(emptied(pointers), '/email', 5), '/more', null), {
    'idempotency-key': fields.length > 1 ? 'no-uuid' : null,
  })
  const utf16 = [json(), BOM + json()].flatMap((text) => {
    const bytes = Buffer.from(text, 'utf16le')
    const utf32 = Buffer.from([...text].flatMap((sign) => [0, 0, 0, sign.charCodeAt(0)]))
    return [bytes, Buffer.from(bytes).swap16(), utf32, Buffer.from(utf32).swap32()]
  })
  const largeInFewCharacters = texts.slice(-1).map(({ pointer, maxLength }) => {
    const enquiry = Buffer.from(JSON.stringify(setAt(body(), pointer, EMOJI.repeat(maxLength))))
    return post(Buffer.concat([enquiry, Buffer.alloc(MAX_BODY_BYTES + 1 - enquiry.length, ' ')]))
  })
  const longToken = post(json(), { cookie: 'XSRF-TOKEN=', 'x-xsrf-token': 'a'.repeat(4097) })
  const allRefusals = OTHER_SITES.map((site) =>
    post('{'.padEnd(MAX_BODY_BYTES + 1), {
      ...site,
      ...{ cookie: 'XSRF-TOKEN=one', 'x-xsrf-token': 'two', 'content-type': 'text/plain' },
    }),
  )
  const byMethods = (path: string, methods: string[]) =>
    methods.map((method) => request(method, path, method === 'GET' ? '' : json()))

  return [
    ...accepted('a call as browsers send it is accepted', RULES.ownPage, asBrowsers),
    ...accepted('a valid body is accepted', RULES.noBrowser, [
      post(json()),
      ...[{ 'user-agent': 'curl/8.5' }, { referer: 'https://elsewhere.example/' }].map((more) => post(json(), more)),
    ]),
    ...accepted('a first call needs no cookie and no token', RULES.firstCall, [
      post(json(), { cookie: null, 'x-xsrf-token': null }),
    ]),
    ...accepted('the type may be in any case and have parameters, and the coding be identity', RULES.type, [
      ...[...typed(JSON_TYPES), ...encoded(['identity', 'Identity'])],
    ]),
    ...accepted('a query string is ignored', RULES.query, [
      request('POST', `${path}?from=contract&email=&_method=PUT`, json(), { 'x-http-method-override': 'PUT' }),
    ]),
    ...accepted('a body of 65,536 bytes is accepted', RULES.size, posts(json().padEnd(MAX_BODY_BYTES))),
    ...accepted('a body in chunks is accepted', RULES.chunks, [...inChunks, ...scriptsInChunks]),
    ...accepted('JSON may be written in escapes, with white space', RULES.json, [
      post(` \r\n\t${json().replaceAll('@', '\\u0040')}\n`),
    ]),
    ...accepted('addresses at and below their bounds are accepted', RULES.email, emails(...atBounds)),
    ...accepted('addresses with every character they may have are accepted', RULES.email, emails(...oddAddresses)),
    ...accepted('texts at and below their bounds are accepted', RULES.lengths, [
      ...inTexts(true, ({ minLength, maxLength }) => [minLength, maxLength - 1, maxLength].map((n) => 'a'.repeat(n))),
    ]),
    ...accepted('lengths count code points: as many emoji as letters are accepted', RULES.lengths, [
      ...inTexts(true, ({ maxLength }) => [
        ...SINGLES.map((sign) => sign.repeat(maxLength)),
        `a${'\n'.repeat(maxLength - 2)}a`,
      ]),
    ]),
    ...accepted('texts in many scripts, right to left, with marks, emoji and quotes are accepted', RULES.text, [
      ...inTexts(true, (field) => [...(isAllowed(field, lines) ? [lines] : SCRIPTS), ...MARKS]),
    ]),
    ...accepted('characters that are not white space may surround a field', RULES.space, acrossFields(true, around)),
    ...accepted('control characters are accepted where the schema allows them', RULES.text, acrossFields(true, amid)),
    own(successOutcome, 'one connection carries many calls, refused ones among them', RULES.connection, keepsAlive),
    ...table(successOutcome, [200, 400])('of two fields of one name the last counts', RULES.twice, [
      ...['"email":"first",', '"email":"first","email":5,', '"\\u0065mail":"first",'].map((more) =>
        post(json().replace('{', `{${more}`)),
      ),
    ]),

    ...invalid('an invalid address is refused, and its field named', RULES.named, [
      ...emails('no address at all'),
      post({ ...body(), email: '' }, { accept: 'text/html,application/xhtml+xml' }),
    ]),
    ...invalid('each field at fault is named once, and no other', RULES.named, [
      ...posts(...[...pointers, ...unknown].map((one) => emptied([one])), emptied(pointers), emptied(unknown)),
      allAtFault,
    ]),
    ...invalid(
      'addresses beyond their bounds are refused',
      RULES.email,
      emails(addressOf(255, 64), addressOf(200, 65)),
    ),
    ...invalid('almost valid addresses are refused', RULES.email, emails(...invalidAddresses)),
    ...invalid('texts beyond their bounds are refused', RULES.lengths, [
      ...inTexts(false, ({ maxLength }) => ['', 'a'.repeat(maxLength + 1), EMOJI.repeat(maxLength + 1)]),
      // As many visible characters as allowed, but more code points.
      ...inTexts(false, ({ maxLength }) => CLUSTERS.map((sign) => sign.repeat(maxLength / 2 + 1))),
    ]),
    ...invalid('control characters, line separators and lone surrogates are refused', RULES.schema, [
      ...acrossFields(false, amid),
    ]),
    ...invalid('white space around a field is refused, not trimmed', RULES.space, [
      ...emails(...SPACES.flatMap((space) => [`${space}${newAddress()}`, `${newAddress()}${space}`])),
      ...acrossFields(false, around),
    ]),
    ...invalid('other types are refused, in the place of each field and each object', RULES.schema, [
      ...inEach(false, fields, () => NOT_TEXTS),
      ...posts(...[...NOT_OBJECTS, [body()], json()].map((value) => JSON.stringify(value))),
      ...inner.flatMap((pointer) => NOT_OBJECTS.map((value) => post(setAt(body(), pointer, value)))),
    ]),
    ...invalid('a missing field is refused, and named as if it were there', RULES.named, [
      ...inEach(false, fields, () => [undefined]),
      request('POST', `${path}?${FORM}`, '{}', { cookie: FORM }),
      ...inner.map((pointer) => post({ ...setAt(body(), pointer, undefined), 'name.first': 'a', 'name.last': 'b' })),
      ...posts('{}', ...inner.flatMap((pointer) => [{}, undefined].map((value) => setAt(body(), pointer, value)))),
    ]),
    ...invalid('an unknown field is refused, at every depth', RULES.schema, [
      ...objects.flatMap((object) => UNKNOWN.map((name) => post(withUnknown(object, name)))),
      ...[null, false, '', []].map((value) => post({ ...body(), more: value })),
    ]),
    ...invalid('a thousand unknown fields are refused, and a long name', RULES.named, [
      ...posts({ ...body(), ...MANY_UNKNOWN }, { ...body(), [LONG_NAME]: 1 }),
    ]),
    ...table(invalidOutcome, [400, 422])('of two fields of one name the last is what is checked', RULES.twice, [
      ...['"email":"last"', '"email":5', ...inner.map((pointer) => `"${pointer.slice(1)}":{}`)].map((last) =>
        post(json().replace(/}$/, `,${last}}`)),
      ),
    ]),
    ...table(invalidOutcome, [400, 422])('numbers that are too large are refused', RULES.deep, [
      ...['1e999', '-1e999', '9'.repeat(400)].map((number) => post(`{"email":${number}}`)),
    ]),
    ...table(invalidOutcome, [403, 422, 431])('a token over 4,096 characters is refused', RULES.token, [longToken]),

    ...notJson('half a body is refused', RULES.json, posts(json().slice(0, -1))),
    ...notJson('almost valid JSON is refused', RULES.json, posts(...INVALID_JSON, ...almostJson(json()))),
    ...notJson('a byte order mark is refused', RULES.json, posts(BOM + json())),
    ...notJson('bytes that are not UTF-8 are refused', RULES.json, [
      ...posts(
        ...INVALID_UTF8.map(withBytes),
        ...utf16,
        Buffer.concat([Buffer.from(json()), Buffer.from('e282', 'hex')]),
      ),
    ]),
    ...table('not-json', [400, 422])('deep nesting is refused', RULES.deep, [
      ...posts(...DEEP, '['.repeat(20_000), ...DEEP.map((deep) => `{"email":${deep}}`)),
    ]),

    ...tooLarge('a body of 65,537 bytes is refused', RULES.size, posts(json().padEnd(MAX_BODY_BYTES + 1))),
    ...tooLarge('a body of 65,537 bytes in chunks is refused', RULES.size, [
      post(json().padEnd(MAX_BODY_BYTES + 1), CHUNKED),
    ]),
    ...tooLarge('a body of 65,537 bytes in fewer characters is refused', RULES.size, largeInFewCharacters),
    own('too-large', 'a huge body is refused', RULES.size, refusesHuge),

    ...otherType('text/plain is refused', RULES.otherType, typed(['text/plain'])),
    ...otherType('a form, no type, other types and other charsets are refused', RULES.otherType, [
      post(FORM, { 'content-type': 'application/x-www-form-urlencoded' }),
      post(json(), { 'content-type': null }),
      ...typed(OTHER_TYPES),
    ]),
    ...otherType('a compressed body is refused', RULES.otherType, [
      post(gzipSync(json()), { 'content-encoding': 'gzip' }),
      post(brotliCompressSync(json()), { 'content-encoding': 'br' }),
      ...[deflateSync(json()), deflateRawSync(json())].map((body) => post(body, { 'content-encoding': 'deflate' })),
      ...encoded(OTHER_CODINGS),
    ]),
    ...table('unsupported-media-type', REFUSED)('of several refusals that apply, one is answered', RULES.order, [
      ...allRefusals,
    ]),

    own('forbidden', 'a call from another site is refused in this form, if at all', RULES.ownPage, mayForbid),
    ...table('method-not-allowed', 405)(
      'other methods are refused, and Allow names those that there are',
      RULES.method,
      byMethods(path, OTHER_METHODS),
    ),
    ...table('method-not-allowed', [403, 405])('a preflight call is refused', RULES.method, [
      request('OPTIONS', path, '', { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' }),
    ]),
    own('method-not-allowed', 'HEAD is refused like other methods, without a body', RULES.head, refusesHead),
    ...table('not-found', 404)('other paths are not found, by any method', RULES.path, [
      ...otherPaths(path).flatMap((other) => byMethods(other, ['POST', ...OTHER_METHODS])),
    ]),
  ]

  function keepsAlive(context: CheckContext) {
    return context.expectSequence([
      [200, post(json())],
      [422, ...posts(setAt(body(), '/email', 'none'), '{}')],
      [400, post(json().slice(0, -1))],
      [415, ...typed(['text/plain'])],
      [405, request('PUT', path, json())],
      [404, request('POST', `${path}/more`, json())],
      [[200, 403], post(json(), { 'sec-fetch-site': 'cross-site' })],
      [[200, 403], post(json(), { cookie: 'XSRF-TOKEN=one', 'x-xsrf-token': 'two' })],
      [413, ...[{}, CHUNKED].map((headers) => post(json().padEnd(MAX_BODY_BYTES + 1), headers))],
      [200, post(json()), post(json(), CHUNKED)],
    ])
  }

  async function refusesHuge(context: CheckContext) {
    const evaluation = await context.evaluate(post(json().padEnd(2e6)), 413)
    // A server may close the connection instead.
    if (evaluation.answer.status > 0) context.record(evaluation)
  }

  async function refusesHead(context: CheckContext) {
    const exchange = await context.evaluate(request('HEAD', path, '', { 'content-type': null }), 405)
    context.record(exchange)
    for (const target of [path, `${path}/more`])
      if (await context.headHasBody(target))
        context.record({ ...exchange, differences: [{ expected: 'no body', actual: `one, at ${target}` }] })
  }

  async function mayForbid(context: CheckContext) {
    for (const site of OTHER_SITES) {
      if (context.isLost()) return
      const { status } = await context.expect(post(json(), site), [200, 403])
      if (status === 200) context.note('some are accepted, which a backend may do')
    }
  }
}
