import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

type Call = {
  method: string
  url: string
  headers: Record<string, string>
  body: Buffer
  /** Which call of its connection it is, counted from 1. */
  nth: number
}
type Answer = { status: number; headers: Record<string, string | string[]>; body: string }

/** A backend that keeps the contract except for one fault. */
export type FaultyBackend = {
  readonly name: string
  /** Titles of checks that find the fault, or parts of them; others may find it too. */
  readonly caughtBy: readonly string[]
  /** Makes a handler with its own memory. `right` is the reference backend. */
  make(): (call: Call, right: (call: Call) => Promise<Answer>) => Answer | 'dropped' | Promise<Answer | 'dropped'>
}

/** Serves a faulty backend in front of the reference app. */
export async function serveFaulty(app: FastifyInstance, { make }: Pick<FaultyBackend, 'make'>) {
  const handle = make()
  const nths = new WeakMap<Socket, number>()
  async function right({ method, url, headers: { 'transfer-encoding': _, ...headers }, body }: Call): Promise<Answer> {
    const answer = await app.inject({ method: method as 'POST', url, headers, payload: body })
    return { status: answer.statusCode, headers: answer.headers as Answer['headers'], body: answer.body }
  }
  const server = createServer(async (request, response) => {
    const headers = { ...request.headers } as Record<string, string>
    for (const name of ['content-length', 'connection']) delete headers[name]
    const nth = (nths.get(request.socket) ?? 0) + 1
    nths.set(request.socket, nth)
    const body = await buffer(request)
    const call = { method: request.method ?? '', url: request.url ?? '', headers, body, nth }
    // A fault's own code may fail too, for example on deep nesting.
    const answer = await (async () => handle(call, right))().catch(() => problem(500))
    if (answer === 'dropped') {
      request.socket.destroy()
      return
    }
    const { 'content-length': _, ...rest } = answer.headers
    response.writeHead(answer.status, rest).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

type Fields = Record<string, unknown> & { email?: unknown; msg?: unknown; name?: unknown }

function fieldsOf({ body }: Pick<Call, 'body'> | Answer): Fields {
  try {
    return Object(JSON.parse(body.toString()))
  } catch {
    return {}
  }
}

const problem = (status: number, more = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
  body: JSON.stringify({ title: 'Refused', status, errors: [{ pointer: '/email', detail: 'is refused' }], ...more }),
})
const taken: Answer = {
  status: 200,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: '{"success":true,"email_exists":false}',
}

const onCall = (name: string, caughtBy: string[], change: (call: Call) => Call): FaultyBackend => ({
  name,
  caughtBy,
  make: () => (call, right) => right(change(call)),
})
const onFields = (name: string, caughtBy: string[], change: (fields: Fields) => unknown) =>
  onCall(name, caughtBy, (call) => {
    const fields = fieldsOf(call)
    if (Object.keys(fields).length === 0) return call
    return { ...call, body: Buffer.from(JSON.stringify(change(fields))) }
  })
const onAnswer = (
  name: string,
  caughtBy: string[],
  change: (answer: Answer, call: Call) => Answer | 'dropped',
): FaultyBackend => ({ name, caughtBy, make: () => async (call, right) => change(await right(call), call) })
const refusing = (name: string, caughtBy: string[], isRefused: (call: Call) => boolean, status = 422) =>
  onAnswer(name, caughtBy, (answer, call) => (isRefused(call) ? problem(status) : answer))
const remembering = (name: string, caughtBy: string[], make: FaultyBackend['make']): FaultyBackend => ({
  name,
  caughtBy,
  make,
})

const texts = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value ?? {})).flatMap(texts)
const deep = (value: unknown, change: (text: string) => unknown): unknown => {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, deep(inner, change)]))
}
const withAnswer = (answer: Answer, change: (value: Fields) => unknown): Answer => ({
  ...answer,
  body: JSON.stringify(change(fieldsOf(answer))),
})
const typed = (type: string) => (call: Call) => ({ ...call, headers: { ...call.headers, 'content-type': type } })
const typeOf = ({ headers }: Call) => headers['content-type'] ?? ''
const keyOf = ({ headers }: Call) => headers['idempotency-key']
const emailIn = ({ email }: Fields) => (typeof email === 'string' ? email : '')
const emailOf = (call: Call) => emailIn(fieldsOf(call))
const isEnquiry = ({ url }: Call) => url.includes('contact-us')
const without = (call: Call, header: string) => {
  const { [header]: _, ...headers } = call.headers
  return { ...call, headers }
}

export const FAULTY_BACKENDS: readonly FaultyBackend[] = [
  onCall('accepts text/plain', ['text/plain is refused'], (call) =>
    typeOf(call) === 'text/plain' ? typed('application/json')(call) : call,
  ),
  onCall('guesses the type', ['a form, no type, other types and other charsets are refused'], (call) =>
    typeOf(call) === 'text/plain' ? call : typed('application/json')(call),
  ),
  onCall('unpacks gzip', ['a compressed body is refused'], (call) =>
    call.headers['content-encoding'] === 'gzip'
      ? { ...without(call, 'content-encoding'), body: gunzipSync(call.body) }
      : call,
  ),
  onAnswer('answers 201', ['a valid body is accepted'], (answer) =>
    answer.status === 200 ? { ...answer, status: 201 } : answer,
  ),
  onAnswer('answers errors in HTML', ['half a body is refused'], (answer) =>
    answer.status < 400 ? answer : { ...answer, headers: { 'content-type': 'text/html' }, body: '<h1>Error</h1>' },
  ),
  onAnswer('writes booleans as texts', ['a valid body is accepted'], (answer) =>
    withAnswer(answer, (value) => (answer.status === 200 ? { ...value, success: String(value.success) } : value)),
  ),
  onAnswer('calls every address known', ['a known address is reported as known'], (answer) =>
    withAnswer(answer, (value) => (answer.status === 200 ? { ...value, email_exists: true } : value)),
  ),
  onAnswer('takes what is no address', ['an invalid address is refused, and its field named'], (answer) =>
    answer.body.includes('"/email"') ? taken : answer,
  ),
  onAnswer('names no field', ['an invalid address is refused, and its field named'], (answer) =>
    answer.status === 422 ? withAnswer(answer, (value) => ({ ...value, errors: [{ detail: 'invalid' }] })) : answer,
  ),
  onAnswer('has another status in its problems', ['half a body is refused'], (answer) =>
    answer.status < 400 ? answer : withAnswer(answer, (value) => ({ ...value, status: 500 })),
  ),
  onAnswer('repeats what was sent in its errors', ['almost valid addresses are refused'], (answer, call) =>
    answer.status < 400 ? answer : withAnswer(answer, (value) => ({ ...value, detail: fieldsOf(call).email })),
  ),
  onAnswer('shows what its parser read', ['almost valid JSON is refused'], (answer, { body }) =>
    answer.status === 400 ? withAnswer(answer, (value) => ({ ...value, detail: `Unexpected ${body}` })) : answer,
  ),
  onAnswer(
    'fails on emoji',
    ['texts in many scripts, right to left, with marks, emoji and quotes are accepted'],
    (answer, { body }) => (body.includes('👍') ? problem(500) : answer),
  ),
  refusing('counts UTF-16 units', ['lengths count code points: as many emoji as letters are accepted'], (call) =>
    texts(fieldsOf(call).name).some((text) => text.length > 100),
  ),
  refusing('wants names of two letters', ['texts at and below their bounds are accepted'], (call) =>
    texts(fieldsOf(call).name).some((text) => text.length < 2),
  ),
  refusing(
    'takes addresses of 253 characters',
    ['addresses at and below their bounds are accepted'],
    (call) => emailOf(call).length > 253,
  ),
  refusing('knows letters alone in addresses', ['addresses with every character they may have are accepted'], (call) =>
    emailOf(call).includes('!'),
  ),
  onFields('cuts what is too long', ['texts beyond their bounds are refused'], (fields) => {
    const cut = (text: string, most: number) => [...text].slice(0, most).join('')
    return { ...fields, ...('msg' in fields && { msg: deep(fields.msg, (text) => cut(text, 5000)) }) }
  }),
  onFields('cuts addresses', ['addresses beyond their bounds are refused'], (fields) =>
    emailIn(fields).length === 255 ? { ...fields, email: 'contract+cut@example.com' } : fields,
  ),
  onFields('trims what Python calls no white space', ['white space around a field is refused, not trimmed'], (fields) =>
    deep(fields, (text) => text.replace(/^\ufeff|\ufeff$/g, '')),
  ),
  refusing('has a wider idea of white space', ['characters that are not white space may surround a field'], (call) =>
    texts(fieldsOf(call)).some((text) => text.startsWith('\u001c') || text.startsWith('\u0085')),
  ),
  onFields(
    'takes U+2028 in a name',
    ['control characters, line separators and lone surrogates are refused'],
    (fields) => deep(fields, (text) => text.replace(/\u2028/g, ' ')),
  ),
  onFields(
    'replaces lone surrogates',
    ['control characters, line separators and lone surrogates are refused'],
    (fields) => deep(fields, (text) => text.toWellFormed()),
  ),
  onFields('takes labels of 64 characters', ['almost valid addresses are refused'], (fields) => ({
    ...fields,
    ...('email' in fields && { email: deep(fields.email, (text) => text.replace(/@b{64}\./, '@b.')) }),
  })),
  onCall('skips a byte order mark', ['a byte order mark is refused'], (call) => ({
    ...call,
    body: call.body.subarray(0, 3).toString() === '\ufeff' ? call.body.subarray(3) : call.body,
  })),
  refusing('reads no chunks', ['a body in chunks is accepted'], ({ headers }) => 'transfer-encoding' in headers, 400),
  onCall('counts no chunks', ['a body of 65,537 bytes in chunks is refused'], (call) =>
    call.headers['transfer-encoding'] ? { ...call, body: Buffer.from(call.body.toString().trim()) } : call,
  ),
  refusing('loses the thread of a connection', ['one connection carries many calls'], ({ nth }) => nth > 3, 400),
  refusing(
    'takes its own page for another site',
    ['a call as browsers send it is accepted'],
    ({ headers }) => 'origin' in headers,
    403,
  ),
  onAnswer('lets answers be cached', ['a valid body is accepted'], (answer) => {
    const { 'cache-control': _, ...headers } = answer.headers
    return { ...answer, headers }
  }),
  refusing(
    'looks at the first of two cookies',
    ['a cookie that is empty, doubled or can’t be decoded counts as the contract says'],
    ({ headers }) =>
      headers.cookie?.includes('XSRF-TOKEN=one; XSRF-TOKEN=two') === true && headers['x-xsrf-token'] === 'two',
    403,
  ),
  onCall('compares the starts of tokens', ['a token that is wrong or missing is refused'], (call) =>
    call.headers.cookie?.includes('XSRF-TOKEN=one; XSRF-TOKEN=two') && call.headers['x-xsrf-token'] === 'three'
      ? without(call, 'cookie')
      : call,
  ),
  onCall('takes a token of any length', ['a token over 4,096 characters is refused'], (call) =>
    Number(call.headers['x-xsrf-token']?.length) > 4096 ? without(call, 'x-xsrf-token') : call,
  ),
  onAnswer(
    'refuses other sites in HTML',
    ['a call from another site is refused in this form'],
    (answer, { headers }) =>
      answer.status === 403 && headers.origin ? { ...answer, headers: { 'content-type': 'text/html' } } : answer,
  ),
  onAnswer(
    'fails where several refusals apply',
    ['of several refusals that apply, one'],
    (answer, { body, headers }) => (headers.origin && body.length > 65_536 ? problem(500) : answer),
  ),
  onAnswer('fails at many faults', ['a thousand unknown fields are refused'], (answer, { body }) =>
    body.includes('more999') ? problem(500) : answer,
  ),
  refusing('wants a path without a query', ['a query string is ignored'], ({ url }) => url.includes('?'), 404),
  onAnswer('tells no method that there is', ['other methods are refused, and Allow names'], (answer) => {
    const { allow: _, ...headers } = answer.headers
    return { ...answer, headers }
  }),
  onAnswer('answers 405 on unknown paths', ['other paths are not found, by any method'], (answer, { method }) =>
    answer.status === 404 && method !== 'GET'
      ? { ...problem(405), headers: { ...problem(405).headers, allow: 'GET, POST' } }
      : answer,
  ),
  onAnswer('answers 404 in HTML', ['other paths are not found, by any method'], (answer) =>
    answer.status === 404 ? { ...answer, headers: { 'content-type': 'text/html' }, body: '<h1>404</h1>' } : answer,
  ),
  onFields('takes numbers for texts', ['other types than text are refused'], (fields) =>
    typeof fields.msg === 'number'
      ? { ...fields, msg: String(fields.msg) }
      : Array.isArray(fields)
        ? fields[0]
        : fields,
  ),
  onFields('does without a message', ['a missing field is refused'], (fields) =>
    'name' in fields && !('msg' in fields) ? { ...fields, msg: 'None' } : fields,
  ),
  onFields('takes unknown fields of a name', ['an unknown field is refused, at every depth'], (fields) => {
    const { first, last } = Object(fields.name)
    return 'first' in Object(fields.name) ? { ...fields, name: { first, last } } : fields
  }),
  onFields(
    'overlooks __proto__',
    ['an unknown field is refused, at every depth'],
    ({ ['__proto__']: _, ...fields }) => fields,
  ),
  onAnswer('names no unknown field', ['each field at fault is named, and no other'], (answer) => ({
    ...answer,
    body: answer.body.replace('"pointer":"/more"', '"pointer":"/email"'),
  })),
  onCall('reads any bytes as UTF-8', ['bytes that are not UTF-8 are refused'], (call) => ({
    ...call,
    body: call.headers['content-encoding'] ? call.body : Buffer.from(call.body.toString()),
  })),
  onAnswer('mends JSON', ['half a body is refused', 'almost valid JSON is refused'], (answer) =>
    answer.status === 400 ? taken : answer,
  ),
  onAnswer('dies of deep nesting', ['deep nesting is refused'], (answer, { body }) =>
    body.includes('[[[[[[[[') ? 'dropped' : answer,
  ),
  refusing('knows no escapes', ['JSON may be written in escapes, with white space'], ({ body }) =>
    body.includes('\\u0040'),
  ),
  refusing(
    'wants the bare type',
    ['the type may be in any case and have parameters'],
    (call) => typeOf(call) !== 'application/json',
    415,
  ),
  refusing('takes 60,000 bytes', ['a body of 65,536 bytes is accepted'], ({ body }) => body.length > 60_000, 413),
  onCall('takes bodies of any size', ['a body of 65,537 bytes is refused', 'a huge body is refused'], (call) =>
    call.body.length > 65_536 ? { ...call, body: Buffer.from(call.body.toString().trim()) } : call,
  ),
  refusing(
    'wants a token at once',
    ['a first call needs no cookie and no token'],
    ({ headers }) => !headers.cookie,
    403,
  ),
  onAnswer('takes any token', ['a token that is wrong or missing is refused, and a fresh one works'], (answer) =>
    answer.status === 403 ? { ...taken, headers: { ...answer.headers, ...taken.headers } } : answer,
  ),
  onAnswer('gives no fresh token', ['a token that is wrong or missing is refused, and a fresh one works'], (answer) => {
    const { 'set-cookie': _, ...headers } = answer.headers
    return answer.status === 403 ? { ...answer, headers } : answer
  }),
  onAnswer(
    'hides the token from the page',
    ['a token that is wrong or missing is refused, and a fresh one works'],
    (answer) =>
      answer.status === 403 || !answer.headers['set-cookie']
        ? answer
        : { ...answer, headers: { ...answer.headers, 'set-cookie': `${answer.headers['set-cookie']}; HttpOnly` } },
  ),
  remembering(
    'hands out a token with the page that the page can not read',
    ['a token that is wrong or missing is refused, and a fresh one works'],
    () => async (call, right) => {
      const { headers, ...answer } = await right(call)
      const { 'set-cookie': fresh, ...others } = headers
      const handedOut = call.url === '/' ? 'XSRF-TOKEN=from-the-page; Path=/; HttpOnly' : undefined
      const cookie = answer.status === 403 ? fresh : handedOut
      return { ...answer, headers: cookie ? { ...others, 'set-cookie': cookie } : others }
    },
  ),
  onAnswer('names the first field at fault alone', ['each field at fault is named, and no other'], (answer) =>
    answer.status === 422
      ? {
          ...answer,
          body: JSON.stringify({ ...fieldsOf(answer), errors: [fieldsOf(answer).errors].flat().slice(0, 1) }),
        }
      : answer,
  ),
  onAnswer('names the message where the key is at fault', ['the key is named as what is at fault'], (answer) => ({
    ...answer,
    body: answer.body.replace('"header":"Idempotency-Key"', '"pointer":"/msg"'),
  })),
  onAnswer('answers in letters that are no UTF-8', ['an invalid address is refused'], (answer) => ({
    ...answer,
    body: answer.body.replace('"title":"U', '"title":"\ufffd'),
  })),
  onCall('reads the start of a key', ['a key that is not a UUID is refused'], (call) => {
    const key = keyOf(call)?.slice(0, 36)
    return key ? { ...call, headers: { ...call.headers, 'idempotency-key': key } } : call
  }),
  onCall('takes an empty key for none', ['an empty key is refused'], (call) =>
    keyOf(call) === '' ? without(call, 'idempotency-key') : call,
  ),
  onCall(
    'ignores Idempotency-Key',
    ['another enquiry with the same key is refused', 'a key that is not a UUID is refused'],
    (call) => without(call, 'idempotency-key'),
  ),
  onCall('tells keys apart by case', ['keys that differ only in case are one'], (call) =>
    /[A-F]/.test(keyOf(call) ?? '') ? { ...call, headers: { ...call.headers, 'idempotency-key': randomUUID() } } : call,
  ),
  remembering(
    'refuses every repeat',
    ['an equal enquiry with the same key is accepted, in any order and writing'],
    () => {
      const seen = new Set<string>()
      return (call, right) => {
        const key = keyOf(call)
        if (key && seen.has(key)) return problem(422)
        if (key) seen.add(key)
        return right(call)
      }
    },
  ),
  remembering('refuses a key in use', ['ten equal enquiries at once with one key are accepted'], () => {
    const inUse = new Set<string>()
    return async (call, right) => {
      const key = keyOf(call)
      if (!key) return right(call)
      if (inUse.has(key)) return problem(409)
      inUse.add(key)
      await sleep(20)
      return right(call).finally(() => inUse.delete(key))
    }
  }),
  remembering('takes no enquiry twice', ['without a key, an equal enquiry is accepted again'], () => {
    const seen = new Set<string>()
    return (call, right) => {
      if (!isEnquiry(call) || keyOf(call)) return right(call)
      if (seen.has(call.body.toString())) return problem(422)
      seen.add(call.body.toString())
      return right(call)
    }
  }),
  remembering('binds the key of a refused enquiry', ['a refused enquiry leaves its key free'], () => {
    const bound = new Set<string>()
    return async (call, right) => {
      const key = keyOf(call) ?? ''
      if (bound.has(key)) return problem(422)
      const answer = await right(call)
      if (key && answer.status === 422) bound.add(key)
      return answer
    }
  }),
  remembering('takes both of two enquiries at once', ['of two enquiries at once with one key, one is accepted'], () => {
    const stored = new Map<string, string>()
    return async (call, right) => {
      const key = keyOf(call)?.toLowerCase()
      if (!key) return right(call)
      const other = stored.get(key)
      await sleep(20)
      if (other !== undefined && other !== call.body.toString()) return problem(422)
      stored.set(key, call.body.toString())
      return right(without(call, 'idempotency-key'))
    }
  }),
  remembering('tells addresses apart by case', ['addresses that differ only in case are one'], () => {
    const seen = new Set<string>()
    return async (call, right) => {
      const answer = await right(call)
      const email = emailOf(call)
      const isKnown = seen.has(email)
      seen.add(email)
      return answer.status === 200 ? withAnswer(answer, (value) => ({ ...value, email_exists: isKnown })) : answer
    }
  }),
  remembering('looks, then stores, with no pause between', ['equal calls at once, exactly one is new'], () => {
    const seen = new Set<string>()
    return async (call, right) => {
      const email = emailOf(call).toLowerCase()
      const isKnown = seen.has(email)
      const answer = await right(call)
      seen.add(email)
      return answer.status === 200 ? withAnswer(answer, (value) => ({ ...value, email_exists: isKnown })) : answer
    }
  }),
  remembering('tells enquiries apart by their message alone', ['another enquiry with the same key is refused'], () => {
    const messages = new Map<string, unknown>()
    return (call, right) => {
      const key = keyOf(call)
      if (!key) return right(call)
      const { msg } = fieldsOf(call)
      if (messages.get(key) === msg) return taken
      messages.set(key, msg)
      return right(call)
    }
  }),
  onAnswer('asks to wait for years', ['a valid body is accepted'], (answer) =>
    answer.status === 200
      ? { ...problem(429), headers: { ...problem(429).headers, 'retry-after': '99999999' } }
      : answer,
  ),
  remembering('limits calls without Retry-After', ['a rate limit says how long to wait'], () => {
    let count = 0
    return (call, right) => (isEnquiry(call) && count++ === 0 ? problem(429) : right(call))
  }),
  refusing('takes no address of a subdomain', ['generated valid bodies are accepted'], (call) =>
    emailOf(call).includes('@1-x.'),
  ),
  onFields('turns words into what they name', ['generated invalid bodies are refused'], (fields) =>
    fields.email === null || Array.isArray(fields.email) ? { ...fields, email: 'contract+x@example.com' } : fields,
  ),
  onAnswer('answers HEAD like GET', ['HEAD is refused like other methods'], (answer, { method }) =>
    method === 'HEAD' ? { ...answer, status: 200 } : answer,
  ),
  refusing('wants a top domain of letters', ['addresses with every character they may have are accepted'], (call) =>
    /\.\d+$/.test(emailOf(call)),
  ),
  refusing('takes keys of version 4 alone', ['a key of any UUID version is accepted'], (call) =>
    /^.{14}[^4]/.test(keyOf(call) ?? ''),
  ),
  onCall('adds dashes to a key', ['a key that is not a UUID is refused'], (call) =>
    keyOf(call)?.length === 32 ? without(call, 'idempotency-key') : call,
  ),
  onCall('counts characters instead of bytes', ['a body of 65,537 bytes in fewer characters is refused'], (call) =>
    call.body.length > 65_536 && call.body.toString().length <= 65_536
      ? { ...call, body: Buffer.from(call.body.toString().trim()) }
      : call,
  ),
  onCall('ignores the case of paths', ['other paths are not found, by any method'], (call) => ({
    ...call,
    url: call.url.toLowerCase(),
  })),
  refusing(
    'reads + in a cookie as a space',
    ['a cookie that is empty, doubled or can’t be decoded counts as the contract says'],
    ({ headers }) => headers.cookie?.includes('a+b') === true,
    403,
  ),
  onAnswer('escapes nothing in pointers', ['each field at fault is named, and no other'], (answer) => ({
    ...answer,
    body: answer.body.replace('/a~1b~0c', '/a/b~c'),
  })),
  onAnswer('begins answers with a byte order mark', ['a valid body is accepted'], (answer) =>
    answer.status === 200 ? { ...answer, body: `\ufeff${answer.body}` } : answer,
  ),
  onAnswer(
    'sets an unreadable token, with 403 alone',
    ['a token that is wrong or missing is refused, and a fresh one works'],
    (answer) => {
      const { 'set-cookie': _, ...headers } = answer.headers
      return {
        ...answer,
        headers: answer.status === 403 ? { ...headers, 'set-cookie': 'XSRF-TOKEN=a; HttpOnly' } : headers,
      }
    },
  ),
]
