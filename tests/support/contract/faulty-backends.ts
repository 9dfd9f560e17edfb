import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'

type Call = Awaited<ReturnType<typeof readCall>>
type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string
}

/** Answers a call; `right` is the reference backend. */
export type Handler = (
  call: Call,
  right: (call: Call) => Promise<Answer>,
) => Answer | 'dropped' | Promise<Answer | 'dropped'>

/** Serves a backend in front of the reference app until the test ends. */
export async function serveFaulty(app: FastifyInstance, handler: Handler): Promise<string> {
  async function right({ method, url, headers: { 'transfer-encoding': _, ...headers }, body }: Call): Promise<Answer> {
    const answer = await app.inject({ method: method as 'POST', url, headers, payload: body })
    return { status: answer.statusCode, headers: answer.headers as Answer['headers'], body: answer.body }
  }
  const server = createServer(async (request, response) => {
    const answer = await handler(await readCall(request), right)
    if (answer === 'dropped') return request.socket.destroy()
    const { 'content-length': length, ...rest } = answer.headers
    return response.writeHead(answer.status, rest).end(answer.body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** With headers and fields that faults look at: '' where there is none. */
async function readCall(request: IncomingMessage) {
  const { method = '', url = '' } = request
  const { 'content-length': _, ...headers } = request.headers as Readonly<Record<string, string>>
  const { 'idempotency-key': key = '', 'content-type': type = '' } = headers
  const body = await buffer(request)
  const text = body.toString()
  let fields: Readonly<Record<string, unknown>> = {}
  try {
    fields = Object(JSON.parse(text))
  } catch {}
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
  const [email, first, msg] = [textOf(fields.email), textOf(Object(fields.name).first), textOf(fields.msg)]
  return { method, url, headers, key, type, body, text, email, first, msg }
}

const JSON_TYPE = 'application/json'
const JSON_HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'no-store' }
const TAKEN: Answer = { status: 200, headers: JSON_HEADERS, body: '{"success":true,"email_exists":false}' }
export const problem = (status: number, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: { ...JSON_HEADERS, 'content-type': 'application/problem+json', ...headers },
  body: JSON.stringify({ title: 'Refused', status, errors: [{ pointer: '/email', detail: 'is refused' }] }),
})

const changes =
  (change: (answer: Answer, call: Call) => Answer): Handler =>
  async (call, right) =>
    change(await right(call), call)
const refuses = (isRefused: (call: Call) => boolean, status = 422) =>
  changes((answer, call) => (isRefused(call) ? problem(status) : answer))
const takes = (isTaken: (call: Call, status: number) => boolean) =>
  changes((answer, call) => (isTaken(call, answer.status) ? TAKEN : answer))
const says = (from: string, to: string, where: (call: Call) => boolean = () => true) =>
  changes((answer, call) => ({ ...answer, body: where(call) ? answer.body.replace(from, to) : answer.body }))

const isHuge = ({ body }: Call) => body.length > 65_536
/** Whether it was called with this text before. */
function seenBefore() {
  const seen = new Set<string>()
  return (text: string) => seen.size === seen.add(text).size
}
const [hasKeyBefore, hasBodyBefore, hasCarriedBefore] = [seenBefore(), seenBefore(), seenBefore()]
const [storedAddresses, keysInUse, storedEnquiries] = [new Set<string>(), new Set<string>(), new Map<string, string>()]

let lastBody: Call['body']
/** Holds the body of a call where that of the next one replaces it. */
const keepsInOnePlace: Handler = async (call, right) => {
  lastBody = call.body
  await sleep(20)
  return right({ ...call, body: lastBody })
}

/** An error that shows something of the call. */
const repeats = (what: (call: Call) => string | undefined) =>
  changes((answer, call) =>
    answer.status < 400 ? answer : { ...answer, body: answer.body.replace('"detail":"', `"detail":"${what(call)} `) },
  )

/** By the titles of the checks that catch them: backends that keep the contract except for one fault. */
export const FAULTS: Readonly<Record<string, Handler | readonly Handler[]>> = {
  'a valid body is accepted': says('"success":true', '"success":false'),
  'a call as browsers send it is accepted': refuses(({ headers }) => 'origin' in headers, 403),
  'a first call needs no cookie and no token': refuses(({ headers }) => !headers.cookie, 403),
  'a cookie that is empty, doubled or can’t be decoded counts as the contract says': refuses(({ headers }) =>
    /a\+b/.test(`${headers.cookie}`),
  ),
  'the type may be in any case and have parameters, and the coding be identity': refuses(
    ({ type }) => type !== 'application/json',
    415,
  ),
  'a query string is ignored': refuses(({ url }) => url.includes('?'), 404),
  'a body of 65,536 bytes is accepted': refuses(({ body }) => body.length > 60_000, 413),
  'a body in chunks is accepted': refuses(({ headers }) => 'transfer-encoding' in headers, 400),
  'JSON may be written in escapes, with white space': refuses(({ text }) => text.includes('\\u0040')),
  'addresses at and below their bounds are accepted': refuses(({ email }) => email.length > 253),
  'addresses with every character they may have are accepted': refuses(({ email }) => /\.\d+$/.test(email)),
  'texts at and below their bounds are accepted': refuses(({ first }) => first.length === 1),
  'lengths count code points: as many emoji as letters are accepted': refuses(({ first }) => first.length > 100),
  'texts in many scripts, right to left, with marks, emoji and quotes are accepted': refuses(({ text }) =>
    text.includes('👍'),
  ),
  'characters that are not white space may surround a field': refuses(({ msg }) => msg.startsWith('\u0085')),
  'one connection carries many calls, refused ones among them': refuses(
    ({ headers }) => headers.connection === 'keep-alive',
  ),
  'an equal enquiry with the same key is accepted, in any order and writing': [
    refuses(({ text, key }) => key !== '' && text.includes('\n')),
    refuses(({ text }) => /\\u00[0-9]?[A-F]/.test(text), 400),
  ],
  'ten equal enquiries at once with one key are accepted': async (call, right) => {
    if (keysInUse.has(call.key)) return problem(409)
    if (call.key) keysInUse.add(call.key)
    await sleep(20)
    return right(call).finally(() => keysInUse.delete(call.key))
  },
  'a key of any UUID version is accepted': refuses(({ key }) => /^.{14}[^4]/.test(key)),
  'without a key, an equal enquiry is accepted again': refuses(({ key, text }) => key === '' && hasBodyBefore(text)),
  'enquiries at once are not mixed': keepsInOnePlace,
  '20 addresses at once are all stored': keepsInOnePlace,
  'a key that another call carried is free': refuses(
    ({ key, url }) => hasCarriedBefore(key) && url.endsWith('contact-us'),
  ),
  'keys that differ in one digit are two': (call, right) => {
    const { 'idempotency-key': key, ...headers } = call.headers
    return right({ ...call, headers: key ? { ...headers, 'idempotency-key': key.replace(/.$/, '0') } : headers })
  },
  'a refused enquiry leaves its key free': refuses(({ key }) => key !== '' && hasKeyBefore(key)),
  'generated valid bodies are accepted': refuses(({ email }) => email.includes('@1-x.')),
  'a known address is reported as known': says('"email_exists":false', '"email_exists":true'),
  'addresses that differ only in case are one': says('exists":true', 'exists":false', (call) =>
    /[A-Z]/.test(call.email),
  ),
  'of 20 equal calls at once, exactly one is new': async (call, right) => {
    const isKnown = storedAddresses.has(call.email)
    const { body, ...answer } = await right(call)
    storedAddresses.add(call.email)
    return { ...answer, body: body.replace(/"email_exists":\w+/, `"email_exists":${isKnown}`) }
  },
  'an invalid address is refused, and its field named': says('"pointer":"/email"', '"pointer":"/mail"'),
  'each field at fault is named once, and no other': says('/a~1b~0c', '/a/b~c'),
  'addresses beyond their bounds are refused': takes(({ email }) => email.length === 255),
  'almost valid addresses are refused': takes(({ email }) => /@b{64}\./.test(email)),
  'texts beyond their bounds are refused': takes(({ msg }) => [...msg].length > 5000),
  'control characters, line separators and lone surrogates are refused': takes(({ text }) => text.includes('\u2028')),
  'white space around a field is refused, not trimmed': takes(({ text }) => text.includes('\ufeff')),
  'other types are refused, in the place of each field and each object': says('"/name"', '"/name/first"'),
  'a missing field is refused, and named as if it were there': says('"/name/last"', '"/name"', ({ text }) =>
    text.includes('"name":{}'),
  ),
  'an unknown field is refused, at every depth': [
    takes(({ text }) => text.includes('"__proto__"')),
    takes(({ text }) => /"email(\\u0000| |s)":/.test(text)),
    takes(({ text }) => text.includes('mſg')),
  ],
  'a thousand unknown fields are refused, and a long name': refuses(({ text }) => text.includes('more999'), 500),
  'a token over 4,096 characters is refused': takes(({ headers }) => Number(headers['x-xsrf-token']?.length) > 4096),
  'a key that is not one UUID is refused': takes(({ key }) => key.includes(', ')),
  'of two fields of one name the last counts': refuses(({ text }) => /"email".*"email"/.test(text)),
  'of two fields of one name the last is what is checked': takes(({ text }) => text.includes('"email":"last"')),
  'numbers that are too large are refused': refuses(({ text }) => text.includes('1e999'), 500),
  'no visitor gets the token of another': changes((answer) => ({
    ...answer,
    headers: { ...answer.headers, 'set-cookie': 'XSRF-TOKEN=everybody; Path=/' },
  })),
  'control characters are accepted where the schema allows them': refuses(({ msg }) => msg.includes('\u0007')),
  'a key stays bound for everybody, whatever comes after it': async (call, right) => {
    const { cookie: visitor = crypto.randomUUID() } = call.headers
    const other = [...visitor]
      .map((letter) => letter.charCodeAt(0).toString(16))
      .join('')
      .slice(-8)
    return right(
      call.key
        ? { ...call, headers: { ...call.headers, 'idempotency-key': other.padEnd(8, '0') + call.key.slice(8) } }
        : call,
    )
  },
  'a refused call stores nothing': async (call, right) => {
    if (call.type === 'text/plain') await right({ ...call, headers: { ...call.headers, 'content-type': JSON_TYPE } })
    return right(call)
  },
  'an enquiry does not subscribe': async (call, right) => {
    if (call.url === '/api/contact-us') {
      await right({ ...call, url: '/api/subscribe', body: Buffer.from(JSON.stringify({ email: call.email })) })
    }
    return right(call)
  },
  'an Idempotency-Key is ignored here': refuses(({ key }) => key === 'any'),
  'addresses that differ in anything else are not': async (call, right) =>
    right({ ...call, body: Buffer.from(call.text.replace(/a\.b@/, 'ab@')) }),
  'generated invalid bodies are refused': takes(({ text }) => /"email":(null|\[)/.test(text)),
  'half a body is refused': takes((_, status) => status === 400),
  'almost valid JSON is refused': takes(({ text }) => text === 'NaN'),
  'a byte order mark is refused': takes(({ text }) => text.startsWith('\ufeff')),
  'bytes that are not UTF-8 are refused': takes(({ text }) => text.includes('\ufffd')),
  'deep nesting is refused': refuses(({ text }) => text.includes('[[[['), 500),
  'a body of 65,537 bytes is refused': takes(({ body }) => body.length === 65_537),
  'a body of 65,537 bytes in chunks is refused': takes((call) => 'transfer-encoding' in call.headers && isHuge(call)),
  'a body of 65,537 bytes in fewer characters is refused': takes((call) => isHuge(call) && call.text.length <= 65_536),
  'a huge body is refused': takes(({ body }) => body.length > 1e6),
  'text/plain is refused': takes(({ type }) => type === 'text/plain'),
  'a form, no type, other types and other charsets are refused': [
    takes(({ type }) => type.includes('utf-16')),
    repeats(({ type }) => type.replaceAll('"', '')),
  ],
  'a compressed body is refused': [
    takes(({ headers }) => headers['content-encoding'] === 'gzip'),
    repeats(({ headers }) => headers['content-encoding']),
  ],
  'of several refusals that apply, one is answered': refuses((call) => 'origin' in call.headers && isHuge(call), 500),
  'a token that is wrong or missing is refused, and a fresh one works': takes((_, status) => status === 403),
  'a call from another site is refused in this form, if at all': refuses(
    ({ headers }) => headers.origin === 'null',
    500,
  ),
  'a preflight call is refused': changes((answer, { headers }) =>
    'access-control-request-method' in headers ? { ...answer, status: 204, body: '' } : answer,
  ),
  'other methods are refused, and Allow names those that there are': [
    changes(({ headers: { allow: _, ...headers }, ...answer }) => ({ ...answer, headers })),
    async (call, right) => right({ ...call, method: call.headers['x-http-method-override'] ?? call.method }),
    async (call, right) => right({ ...call, method: /_method=(\w+)/.exec(call.url)?.[1] ?? call.method }),
  ],
  'HEAD is refused like other methods, without a body': changes((answer, { method }) =>
    method === 'HEAD' ? { ...answer, status: 200 } : answer,
  ),
  'other paths are not found, by any method': [
    refuses(({ method, url }) => method === 'PUT' && url.endsWith('/'), 405),
    repeats(({ url }) => url),
  ],
  'another enquiry with the same key is refused, and the key named': says(
    '"header":"Idempotency-Key"',
    '"pointer":"/msg"',
  ),
  'rich text is the same when it comes again, and another in any detail': async (call, right) =>
    right({ ...call, body: Buffer.from(call.text.replaceAll('\\r\\n', '\\n')) }),
  'keys that differ only in case are one': takes(({ key }) => /[A-F]/.test(key)),
  'of two enquiries at once with one key, one is accepted': async (call, right) => {
    const key = call.key.toLowerCase()
    const other = storedEnquiries.get(key)
    await sleep(20)
    if (!key) return right(call)
    storedEnquiries.set(key, call.text)
    return other === undefined || other === call.text ? TAKEN : problem(422)
  },
}
