import type { Field, Operation } from '../../operations.ts'
import type { Row } from '../context.ts'
import {
  addressOf,
  exampleOf,
  newLocalPart,
  type RequestOptions,
  request,
  textFieldsOf,
  withEmails,
  withHeader,
} from '../requests.ts'

/** The largest body that is accepted. */
export const MAX_BODY_BYTES = 65_536
export const CHUNKED = { 'transfer-encoding': 'chunked' }
export const EMOJI = '😀'

const SCRIPTS = 'Ñandú Όνομα Имя שם اسم नाम ชื่อ 名前 이름 ስም 𐌽𐌰𐌼𐍉'
/** Texts that a name and a message may be. Some find a mistake of a backend, which stands beside them. */
const TEXTS = [
  SCRIPTS,
  '\u200be\u0301\u202ea\u0308\u200b', // Finds trimming and filtering, though there is no white space.
  '👩‍🚒 🇩🇪 👍🏽 \u{10fffd}\ue000', // Finds a column that holds three bytes a character.
  `O'Ab-"\\</script> ' OR 1=1; -- ../../etc/passwd`, // Finds a firewall, and SQL that is put together from texts.
  ...['%00', '0', 'null', '[]'], // Finds a second decoding, and texts that are taken for none.
]
const CONTROLS = 'a\u0001\u0007\b\t\n\v\f\r\u001b\u001f\u007f\u0085\u009f\u2028z'

/** The rows of what is accepted. `origin` is that of the page; `rare` gives its cases to one operation alone. */
export function acceptedRows(operation: Operation, origin: string, rare: <T>(...cases: T[]) => T[]): Row[] {
  const outcome = operation.successOutcome
  return [
    {
      rule: 'A request with neither header does not come from a browser, and is accepted.',
      title: 'a valid body is accepted',
      requests: [{}, { headers: { 'user-agent': 'curl/8.5', referer: 'https://elsewhere.example/' } }],
      outcome,
    },
    {
      rule: 'A backend may answer 403 to what a page of another site sends, but never to its own page.',
      title: 'a call as browsers send it is accepted',
      requests: [
        { headers: { origin, referer: `${origin}/`, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' } },
        { headers: { origin, accept: '*/*', 'accept-language': 'tlh' } },
        // A proxy may have changed the Origin; Sec-Fetch-Site is the browser's own word, and counts.
        { headers: { origin: 'http://backend.internal:8080', 'sec-fetch-site': 'same-origin' } },
        ...rare({ headers: { origin: 'null', 'sec-fetch-site': 'same-origin' } }),
      ],
      outcome,
    },
    {
      rule: 'Requests carry `Content-Type: application/json`, in UTF-8',
      title: 'the type may be in any case and have parameters, and the coding be identity',
      requests: [
        ...withHeader('content-type', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"'),
        ...withHeader('content-type', ...rare('Application/JSON;charset=utf8', 'application/json ; version=1')),
        // These find a charset that is looked for anywhere, and a refusal of an empty parameter.
        ...withHeader('content-type', ...rare('application/json; profile="a;charset=x"', 'application/json;')),
        ...withHeader('content-encoding', 'identity', ...rare('Identity')),
      ],
      outcome,
    },
    {
      rule: 'A query string is ignored.',
      title: 'a query string is ignored',
      requests: [{ path: `${operation.path}?email=&_method=PUT`, headers: { 'x-http-method-override': 'PUT' } }],
      outcome,
    },
    {
      rule: 'A body has a `Content-Length` or comes in chunks.',
      title: 'a body of 65,536 bytes is accepted, in chunks too',
      requests: [{}, { headers: CHUNKED }].map((one) => ({ ...one, edit: (json) => json.padEnd(MAX_BODY_BYTES) })),
      outcome,
    },
    {
      rule: 'An email address as the HTML standard defines it, with at least one dot in the domain',
      title: 'odd addresses are accepted, and the longest',
      requests: withEmails(
        addressOf(254, 64),
        `${newLocalPart()}!#$%&'*+-/=?^_\`{|}~.@example.com`, // Finds a backend with a pattern of its own.
        ...rare(
          addressOf(254, 60),
          `${newLocalPart()}..b.@example.com`, // Finds the rule of RFC 5321, which allows no two dots.
          `${newLocalPart()}@xn--bcher-kva.1.a--b.example.com`,
          `${newLocalPart()}@example.c`, // Finds a list of top-level domains, and a minimum of two letters.
          `${newLocalPart()}@example.1`,
        ),
      ),
      outcome,
    },
    {
      rule: '**Lengths** count Unicode code points.',
      title: 'texts at their bounds are accepted, of as many emoji as letters',
      requests: [
        ...inAllTexts(operation, ({ minLength }) => 'a'.repeat(minLength)),
        // The sign & finds a backend that counts a text once it is escaped.
        ...['a', EMOJI, '&'].flatMap((sign) => inAllTexts(operation, ({ maxLength }) => sign.repeat(maxLength))),
      ],
      outcome,
    },
    {
      rule: 'Free text in any script, line breaks included.',
      title: 'texts in many scripts, with marks, emoji, quotes and control characters are accepted',
      requests: [...TEXTS, CONTROLS].flatMap((text) => inAllTexts(operation, () => text)),
      outcome,
    },
    {
      rule: 'After an answer the connection takes the next call, unless the answer says `Connection: close`.',
      title: 'one connection carries many calls, refused ones among them',
      outcome,
      run({ overOneConnection }) {
        const call = (options: RequestOptions = {}) => request(operation, options)
        const tooLong = (json: string) => json.padEnd(MAX_BODY_BYTES + 1)
        const head = { method: 'HEAD', body: '', headers: { 'content-type': null } }
        // Any documented status will do here: other rows hold which one it has to be.
        const refused = [...operation.responses.keys()]
        const texts = inAllTexts(operation, () => SCRIPTS).map((text) => call({ ...text, headers: CHUNKED }))
        return overOneConnection(
          [200, call()],
          [refused, call({ fields: { '/email': 'none' } })],
          [refused, call({ edit: (json) => json.slice(0, -1) })],
          // A body that the backend leaves unread would be taken for the next call.
          [refused, call({ headers: { 'content-type': 'text/plain' } })],
          [refused, call({ method: 'PUT' })],
          [refused, call({ path: `${operation.path}/more` })],
          [refused, call({ headers: { 'sec-fetch-site': 'cross-site' } })],
          [refused, call({ headers: { cookie: 'XSRF-TOKEN=one', 'x-xsrf-token': 'two' } })],
          [refused, call({ edit: tooLong }), call({ edit: tooLong, headers: CHUNKED })],
          // An answer to HEAD has no body: what follows it would be taken for the next answer.
          [405, call(head)],
          [404, call({ ...head, path: `${operation.path}/more` })],
          [200, call(), call({ headers: CHUNKED }), ...texts],
        )
      },
    },
  ]
}

/** A request with this text in each of the fields that may have it; none where no field may. */
function inAllTexts(operation: Operation, textOf: (field: Field) => string): RequestOptions[] {
  const all = textFieldsOf(operation)
    .map((field) => ({ [field.pointer]: textOf(field) }))
    .filter((fields) => operation.isRequest(exampleOf(operation, fields)))
  return all.length > 0 ? [{ fields: Object.assign({}, ...all) }] : []
}
