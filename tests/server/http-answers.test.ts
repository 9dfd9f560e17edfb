import { afterAll, expect, test, vi } from 'vitest'
import { examples } from '../support/contract/examples.ts'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

// All that a client gets for each kind of call. After a change on purpose: npx vitest run -u tests/server/http-answers

// The timers are faked before the server starts, because its rate limits begin then.
vi.useFakeTimers({ toFake: ['performance', 'setInterval'] })
const server = await buildTestApp({
  PUBLIC_ORIGIN: 'https://www.example.com',
  RATE_LIMIT: true,
  RATE_LIMIT_SUBSCRIBE: { minute: 99, hour: 99 },
  RATE_LIMIT_CONTACT_US: { minute: 6, hour: 6 },
})
afterAll(server.close)
afterAll(() => void vi.useRealTimers())

type Call = { readonly body?: object | string; readonly headers?: Record<string, string> }

const IGNORED = /^(connection|content-length|date|last-modified):/
const VARYING = /^(etag: |set-cookie: XSRF-TOKEN=)[^;]+/

/** The answer to a call, without the parts that differ in each run. */
async function answerTo(line: string, { body, headers }: Call = {}) {
  const [method = '', url = ''] = line.split(' ')
  const type = body && { 'content-type': 'application/json' }
  const call = { method: method as 'GET', url, headers: { ...type, ...headers }, ...(body && { payload: body }) }
  const { statusCode, headers: sent, payload } = await server.app.inject(call)
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`.replace(VARYING, '$1…'))
  return { status: statusCode, headers: lines.filter((each) => !IGNORED.test(each)), body: payload }
}

const SUBSCRIPTION = { body: subscriptionOf() }
const ENQUIRY = { body: bodyOf(anEnquiry()) }
const OTHER = bodyOf(anEnquiry({ message: 'Why?' }))
const UUID = crypto.randomUUID()
const KEY = { 'idempotency-key': UUID }
const tokenOf = (value: string) => ({ cookie: `XSRF-TOKEN=${value}`, 'x-xsrf-token': value })
const TOKEN = tokenOf('a')
const WRONG = { ...TOKEN, 'x-xsrf-token': 'b' }
const TEXT = { 'content-type': 'text/plain' }

const CALLS: readonly [line: string, what: string, call?: Call][] = [
  ['GET /', 'the page'],
  ['GET /index.html', 'its file'],
  ['GET /', 'as brotli', { headers: { 'accept-encoding': 'gzip, br' } }],
  ['HEAD /', 'its headers'],
  ['GET /assets/app-1a2b3c.js', 'a file whose name changes with its content'],
  ['GET /assets/app-1a2b3c.js', 'a range that is not there', { headers: { range: 'bytes=99-' } }],
  ['GET /.well-known/security.txt', 'another file'],
  ['GET /missing.pdf', 'a missing file, in a browser', { headers: { accept: 'text/html' } }],
  ['GET /pages.json%00', 'a path with a NUL character'],
  ['GET /%zz', 'a path that can not be decoded'],
  ['GET /other?a=1', 'any other path'],
  ['POST /other', 'a method that pages do not have'],
  ['GET /healthz', 'the process runs'],
  ['GET /readyz', 'rows can be stored'],
  ['POST /api/subscribe', 'a new address', SUBSCRIPTION],
  ['POST /api/subscribe', 'a listed address, with the token', { ...SUBSCRIPTION, headers: TOKEN }],
  ['POST /api/subscribe', 'the longest token', { ...SUBSCRIPTION, headers: tokenOf('a'.repeat(4096)) }],
  ['POST /api/contact-us', 'an enquiry', { ...ENQUIRY, headers: { ...KEY, ...TOKEN } }],
  ['POST /api/contact-us', 'another enquiry with the same key', { body: OTHER, headers: { ...KEY, ...TOKEN } }],
  ['POST /api/contact-us', 'wrong fields', { body: { name: { first: ' a' }, email: 'a', more: 1 }, headers: TOKEN }],
  ['POST /api/subscribe', 'no address', { body: subscriptionOf('visitor'), headers: TOKEN }],
  ['POST /api/contact-us', 'two wrong fields', { body: { ...OTHER, name: { last: 'Family' }, email: 'a' } }],
  ['POST /api/subscribe', 'a long token', { ...SUBSCRIPTION, headers: tokenOf('a'.repeat(5000)) }],
  ['POST /api/contact-us', 'a wrong key', { ...ENQUIRY, headers: { ...TOKEN, 'idempotency-key': 'x' } }],
  ['POST /api/subscribe', 'another token', { ...SUBSCRIPTION, headers: WRONG }],
  ['POST /api/subscribe', 'another site', { ...SUBSCRIPTION, headers: { 'sec-fetch-site': 'cross-site' } }],
  ['POST /api/subscribe', 'an unknown origin', { ...SUBSCRIPTION, headers: { origin: 'null' } }],
  ['POST /api/contact-us', 'two keys', { ...ENQUIRY, headers: { ...TOKEN, 'idempotency-key': `${UUID}, ${UUID}` } }],
  ['POST /api/subscribe', 'text with a wrong token', { body: '{}', headers: { ...WRONG, ...TEXT } }],
  ['POST /api/subscribe', 'a long text', { body: 'a'.repeat(65_537), headers: { ...TOKEN, 'content-type': 'text/a' } }],
  ['POST /api/subscribe', 'no JSON', { body: '{', headers: TOKEN }],
  ['POST /api/subscribe', 'text', { body: '{}', headers: { ...TOKEN, ...TEXT } }],
  ['POST /api/subscribe', 'gzip', { body: '{}', headers: { ...TOKEN, 'content-encoding': 'gzip' } }],
  ['POST /api/subscribe', 'a large body', { body: 'a'.repeat(65_537), headers: TOKEN }],
  ['GET /api/subscribe', 'another method'],
  ['POST /api/other', 'another call'],
  ['POST /api/contact-us', 'one call too many', { ...ENQUIRY, headers: TOKEN }],
]

const answers: (Awaited<ReturnType<typeof answerTo>> & { line: string; what: string })[] = []
for (const [line, what, call] of CALLS) answers.push({ line, what, ...(await answerTo(line, call)) })

test('each answer has its status, headers and body', () => {
  const headers = answers.flatMap((answer) => answer.headers)
  const usual = [...new Set(headers)].filter((each) => 2 * headers.filter((it) => it === each).length > answers.length)
  const rows = answers.map(({ line, what, status, headers, body }) => {
    const missing = usual.filter((each) => !headers.some((it) => it.startsWith(each.replace(/:.*/, ':'))))
    const unusual = headers.filter((each) => !usual.includes(each))
    return [`${line} (${what}): ${status}`, ...unusual, ...missing.map((each) => `NO ${each}`), body]
      .filter(Boolean)
      .join(' | ')
  })
  expect(['Usual:', ...usual, ...rows].join('\n')).toMatchInlineSnapshot(`
    "Usual:
    cross-origin-resource-policy: same-origin
    permissions-policy: camera=(), geolocation=(), microphone=(), payment=()
    referrer-policy: same-origin
    x-content-type-options: nosniff
    x-frame-options: DENY
    x-permitted-cross-domain-policies: none
    strict-transport-security: max-age=63072000
    content-security-policy: default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    cache-control: no-store
    content-type: application/problem+json
    GET / (the page): 200 | content-security-policy: default-src 'none' | cache-control: no-cache, no-transform | accept-ranges: bytes | etag: … | content-type: text/html; charset=utf-8 | vary: accept-encoding | <h1>page</h1>
    GET /index.html (its file): 200 | content-security-policy: default-src 'none' | cache-control: no-cache, no-transform | accept-ranges: bytes | etag: … | content-type: text/html; charset=utf-8 | vary: accept-encoding | <h1>page</h1>
    GET / (as brotli): 200 | content-security-policy: default-src 'none' | cache-control: no-cache, no-transform | accept-ranges: bytes | etag: … | content-type: text/html; charset=utf-8 | vary: accept-encoding | content-encoding: br | <h1>page</h1>
    HEAD / (its headers): 200 | content-security-policy: default-src 'none' | cache-control: no-cache, no-transform | accept-ranges: bytes | etag: … | content-type: text/html; charset=utf-8 | vary: accept-encoding
    GET /assets/app-1a2b3c.js (a file whose name changes with its content): 200 | cache-control: public, max-age=31536000, immutable | accept-ranges: bytes | etag: … | content-type: application/javascript; charset=utf-8 | vary: accept-encoding | console.log("asset")
    GET /assets/app-1a2b3c.js (a range that is not there): 416 | content-range: bytes */20 | vary: accept | {"type":"about:blank","title":"Range Not Satisfiable","status":416,"detail":"The file does not have this range. Content-Range gives its length."}
    GET /.well-known/security.txt (another file): 200 | cross-origin-resource-policy: cross-origin | cache-control: public, max-age=86400 | accept-ranges: bytes | etag: … | content-type: text/plain; charset=utf-8 | vary: accept-encoding | Contact: https://www.example.com
    GET /missing.pdf (a missing file, in a browser): 404 | content-security-policy: default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src 'self'; style-src 'sha256-Y4aAOP3Xs5OiX3hbjauV1o4dCKITko4NQKZW2Nrb5oQ=' | vary: accept | content-type: text/html; charset=utf-8 | <!doctype html><html lang="en" dir="ltr"><meta charset="utf-8"><title>Not found</title><meta name="viewport" content="width=device-width, initial-scale=1"><style>html{color-scheme:light dark}body{max-width:36rem;margin:15vh auto;padding:0 1.25rem;font:1.125rem/1.5 system-ui,sans-serif}</style><main><h1>Not found</h1><p>What you are looking for is not at this address.</p><p><a href="/?">Go to the start page</a></p></main></html>
    GET /pages.json%00 (a path with a NUL character): 404 | vary: accept | {"type":"about:blank","title":"Not Found","status":404,"detail":"There is no such file."}
    GET /%zz (a path that can not be decoded): 404 | vary: accept | {"type":"about:blank","title":"Not Found","status":404,"detail":"There is no such path. openapi.yaml lists the paths."}
    GET /other?a=1 (any other path): 302 | location: /?a=1& | NO cache-control: no-store | NO content-type: application/problem+json
    POST /other (a method that pages do not have): 405 | allow: GET, HEAD | vary: accept | {"type":"about:blank","title":"Method Not Allowed","status":405,"detail":"Use a method listed in the Allow header."}
    GET /healthz (the process runs): 200 | content-type: application/json; charset=utf-8 | {"status":"alive"}
    GET /readyz (rows can be stored): 200 | content-type: application/json; charset=utf-8 | {"status":"ready"}
    POST /api/subscribe (a new address): 200 | set-cookie: XSRF-TOKEN=…; Path=/; SameSite=Strict; Secure | content-type: application/json; charset=utf-8 | {"success":true,"email_exists":false}
    POST /api/subscribe (a listed address, with the token): 200 | content-type: application/json; charset=utf-8 | {"success":true,"email_exists":true}
    POST /api/subscribe (the longest token): 200 | content-type: application/json; charset=utf-8 | {"success":true,"email_exists":true}
    POST /api/contact-us (an enquiry): 200 | content-type: application/json; charset=utf-8 | {"success":true}
    POST /api/contact-us (another enquiry with the same key): 422 | {"type":"about:blank","title":"Unprocessable Content","status":422,"detail":"This Idempotency-Key was used for another enquiry. Send the new one with a new key.","errors":[{"header":"Idempotency-Key","detail":"was used for another enquiry"}]}
    POST /api/contact-us (wrong fields): 422 | {"type":"about:blank","title":"Unprocessable Content","status":422,"detail":"A field is missing or invalid.","errors":[{"pointer":"/msg","detail":"must have 1 to 5000 characters, without U+0000 or surrounding white space"},{"pointer":"/more","detail":"is not a field of the contract"},{"pointer":"/name/last","detail":"must have 1 to 100 characters, without control characters or surrounding white space"},{"pointer":"/name/first","detail":"must have 1 to 100 characters, without control characters or surrounding white space"},{"pointer":"/email","detail":"must be an email address of at most 254 characters"}]}
    POST /api/subscribe (no address): 422 | {"type":"about:blank","title":"Unprocessable Content","status":422,"detail":"A field is missing or invalid.","errors":[{"pointer":"/email","detail":"must be an email address of at most 254 characters"}]}
    POST /api/contact-us (two wrong fields): 422 | set-cookie: XSRF-TOKEN=…; Path=/; SameSite=Strict; Secure | {"type":"about:blank","title":"Unprocessable Content","status":422,"detail":"A field is missing or invalid.","errors":[{"pointer":"/name/first","detail":"must have 1 to 100 characters, without control characters or surrounding white space"},{"pointer":"/email","detail":"must be an email address of at most 254 characters"}]}
    POST /api/subscribe (a long token): 422 | {"type":"about:blank","title":"Unprocessable Content","status":422,"detail":"A field is missing or invalid.","errors":[{"header":"X-XSRF-TOKEN","detail":"must have at most 4096 characters"}]}
    POST /api/contact-us (a wrong key): 422 | {"type":"about:blank","title":"Unprocessable Content","status":422,"detail":"A field is missing or invalid.","errors":[{"header":"Idempotency-Key","detail":"must be a UUID"}]}
    POST /api/subscribe (another token): 403 | set-cookie: XSRF-TOKEN=…; Path=/; SameSite=Strict; Secure | {"type":"about:blank","title":"Forbidden","status":403,"detail":"The X-XSRF-TOKEN header does not match the XSRF-TOKEN cookie. Try again with the fresh cookie."}
    POST /api/subscribe (another site): 403 | {"type":"about:blank","title":"Forbidden","status":403,"detail":"The request seems to come from another site. If it does not, set PUBLIC_ORIGIN to the origin at which visitors find the page."}
    POST /api/subscribe (an unknown origin): 403 | {"type":"about:blank","title":"Forbidden","status":403,"detail":"The request seems to come from another site. If it does not, set PUBLIC_ORIGIN to the origin at which visitors find the page."}
    POST /api/contact-us (two keys): 422 | {"type":"about:blank","title":"Unprocessable Content","status":422,"detail":"A field is missing or invalid.","errors":[{"header":"Idempotency-Key","detail":"must be a UUID"}]}
    POST /api/subscribe (text with a wrong token): 403 | set-cookie: XSRF-TOKEN=…; Path=/; SameSite=Strict; Secure | {"type":"about:blank","title":"Forbidden","status":403,"detail":"The X-XSRF-TOKEN header does not match the XSRF-TOKEN cookie. Try again with the fresh cookie."}
    POST /api/subscribe (a long text): 415 | {"type":"about:blank","title":"Unsupported Media Type","status":415,"detail":"Send the body as application/json in UTF-8."}
    POST /api/subscribe (no JSON): 400 | {"type":"about:blank","title":"Bad Request","status":400,"detail":"The body is not valid JSON."}
    POST /api/subscribe (text): 415 | {"type":"about:blank","title":"Unsupported Media Type","status":415,"detail":"Send the body as application/json in UTF-8."}
    POST /api/subscribe (gzip): 415 | accept-encoding: identity | {"type":"about:blank","title":"Unsupported Media Type","status":415,"detail":"Send the body without a Content-Encoding."}
    POST /api/subscribe (a large body): 413 | {"type":"about:blank","title":"Content Too Large","status":413,"detail":"The body is larger than 65,536 bytes."}
    GET /api/subscribe (another method): 405 | allow: POST | {"type":"about:blank","title":"Method Not Allowed","status":405,"detail":"Use a method listed in the Allow header."}
    POST /api/other (another call): 404 | {"type":"about:blank","title":"Not Found","status":404,"detail":"There is no such path. openapi.yaml lists the paths."}
    POST /api/contact-us (one call too many): 429 | retry-after: 3600 | {"type":"about:blank","title":"Too Many Requests","status":429,"detail":"Too many requests from this address. Wait for the number of seconds in Retry-After."}"
  `)
})

test('refused calls store nothing', async () => {
  expect(await Promise.all([server.rows('subscribers'), server.rows('enquiries')])).toMatchObject([[{}], [{}]])
})

// This server never answers `success: false`. Another test causes the answers 500 and 503.
test.each(examples.filter(({ example, code }) => example !== 'declined' && code < '500'))(
  'the server gives the example $example of $name to the letter',
  ({ value }) => {
    const bodies = answers.map(({ body }) => body)
    expect(
      bodies,
      'Either no call in CALLS gets this answer: add one. Or the server answers in other words.',
    ).toContain(JSON.stringify(value))
  },
)
