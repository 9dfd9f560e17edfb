import type { Field, Operation } from '../../operations.ts'
import { type Check, type CheckContext, rowsOf } from '../check.ts'
import {
  addressOf,
  newLocalPart,
  type RequestOptions,
  RUN_ID,
  request,
  validInAllFields,
  withEdits,
  withEmails,
  withHeader,
} from '../requests.ts'
import * as samples from '../samples.ts'

/** The largest body that is accepted. */
export const MAX_BODY_BYTES = 65_536
export const CHUNKED = { 'transfer-encoding': 'chunked' }

/** What a valid request may be like: each is answered with 200. `origin` is that of the page. */
export function acceptedRequests(operation: Operation, origin: string): Check[] {
  const accepted = rowsOf(operation, operation.successOutcome, 200)
  const lastCounts = rowsOf(operation, operation.successOutcome, [200, 400])
  return [
    ...accepted('A backend may answer 403 to what a page of another site sends, but never to its own page.', {
      'a call as browsers send it is accepted': [
        { headers: { origin, referer: `${origin}/`, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' } },
        { headers: { origin, accept: '*/*', 'accept-language': 'tlh' } },
        { headers: { 'sec-fetch-site': 'same-origin' } },
        { headers: { 'content-type': null, 'CONTENT-TYPE': 'application/json', ORIGIN: origin } },
        // A proxy may have changed the origin; the browser's own word for it counts.
        ...['null', 'http://backend.internal:8080', 'https://backend.internal'].map((origin) => ({
          headers: { origin, 'sec-fetch-site': 'same-origin' },
        })),
      ],
    }),
    ...accepted('A request with neither header does not come from a browser, and is accepted.', {
      'a valid body is accepted': [
        ...[{}, { 'user-agent': 'curl/8.5' }, { referer: 'https://elsewhere.example/' }].map((headers) => ({
          headers,
        })),
      ],
    }),
    ...accepted('A request without the cookie needs no header, so a first call and a mock always work.', {
      'a first call needs no cookie and no token': [{ headers: { cookie: null, 'x-xsrf-token': null } }],
    }),
    ...accepted('Requests carry `Content-Type: application/json`, in UTF-8', {
      'the type may be in any case and have parameters, and the coding be identity': [
        ...withHeader('content-type', ...samples.JSON_TYPES),
        ...withHeader('content-encoding', 'identity', 'Identity'),
      ],
      'JSON may be written in escapes, with white space': withEdits(
        (json) => ` \r\n\t${json.replaceAll('@', '\\u0040').replaceAll('.', '\\u002E')}\n`,
      ),
    }),
    ...accepted('A query string is ignored.', {
      'a query string is ignored': [
        {
          path: `${operation.path}?from=${RUN_ID}&email=&_method=PUT`,
          headers: { 'x-http-method-override': 'PUT' },
        },
      ],
    }),
    ...accepted('one over 64 KiB with 413', {
      'a body of 65,536 bytes is accepted': withEdits((json) => json.padEnd(MAX_BODY_BYTES)),
    }),
    ...accepted('A body has a `Content-Length` or comes in chunks.', {
      'a body in chunks is accepted': [
        { headers: CHUNKED },
        { headers: CHUNKED, edit: (json) => json.padEnd(MAX_BODY_BYTES) },
        ...validInAllFields(operation, samples.SCRIPTS.join(' ')).map((one) => ({ ...one, headers: CHUNKED })),
      ],
    }),
    ...accepted('An email address as the HTML standard defines it, with at least one dot in the domain', {
      'addresses at and below their bounds are accepted': withEmails(
        ...[addressOf(254, 64), addressOf(254, 63), addressOf(253, 64), addressOf(253, 63)],
      ),
      'addresses with every character they may have are accepted': withEmails(
        ...[samples.LOCAL_SIGNS, '.a..b.', 'X'].map((odd) => `${newLocalPart()}${odd}@example.com`),
        ...samples.ODD_DOMAINS.map((domain) => `${newLocalPart()}@${domain}`),
      ),
    }),
    ...accepted('**Lengths** count Unicode code points.', {
      'texts at and below their bounds are accepted': validInAllFields(
        operation,
        ({ minLength }: Field) => 'a'.repeat(minLength),
        ({ maxLength }: Field) => 'a'.repeat(maxLength - 1),
        ({ maxLength }: Field) => 'a'.repeat(maxLength),
      ),
      'lengths count code points: as many emoji as letters are accepted': validInAllFields(
        operation,
        ...samples.WIDE_SIGNS.map((sign) => (field: Field) => sign.repeat(field.maxLength)),
        ({ maxLength }: Field) => `a${'\n'.repeat(maxLength - 2)}a`,
      ),
    }),
    ...accepted('Free text in any script, line breaks included.', {
      'texts in many scripts, right to left, with marks, emoji and quotes are accepted': validInAllFields(
        operation,
        ...[`${[...samples.SCRIPTS, ...samples.EDGE_TEXTS].join(' \n ')}\r\n\tx`, samples.SCRIPTS.join(' ')],
        ...samples.EDGE_TEXTS,
      ),
      'control characters are accepted where the schema allows them': validInAllFields(
        operation,
        ...samples.CONTROL_GROUPS,
      ),
    }),
    ...accepted("White space is what ECMAScript's `trim` removes.", {
      'characters that are not white space may surround a field': validInAllFields(
        operation,
        ...samples.NO_SPACES.flatMap((sign) => [`${sign}text`, `text${sign}`]),
      ),
    }),
    ...accepted('After an answer the connection takes the next call, unless the answer says `Connection: close`.', {
      'one connection carries many calls, refused ones among them': (context) => keepsConnection(context, operation),
    }),
    ...lastCounts('Of two fields of one name the last counts, or the body is refused with 400.', {
      'of two fields of one name the last counts': withEdits(
        ...['"email":"first"', '"email":"first","email":5', '"\\u0065mail":"first"'].map(
          (more) => (json: string) => json.replace('{', `{${more},`),
        ),
      ),
    }),
  ]
}

function keepsConnection({ overOneConnection }: CheckContext, operation: Operation) {
  const call = (options: RequestOptions = {}) => request(operation, options)
  const tooLong = (json: string) => json.padEnd(MAX_BODY_BYTES + 1)
  return overOneConnection(
    [200, call()],
    [422, call({ fields: { '/email': 'none' } }), call({ body: '{}' })],
    [400, call({ edit: (json) => json.slice(0, -1) })],
    [415, call({ headers: { 'content-type': 'text/plain' } })],
    [405, call({ method: 'PUT' })],
    [404, call({ path: `${operation.path}/more` })],
    [[200, 403], call({ headers: { 'sec-fetch-site': 'cross-site' } })],
    [[200, 403], call({ headers: { cookie: 'XSRF-TOKEN=one', 'x-xsrf-token': 'two' } })],
    [413, call({ edit: tooLong }), call({ edit: tooLong, headers: CHUNKED })],
    [200, call(), call({ headers: CHUNKED })],
  )
}
