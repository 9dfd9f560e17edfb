import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startRun } from '../../contract/check/run.ts'
import { checksOf } from '../../contract/check/table/index.ts'
import { contract } from '../support/contract/contract.ts'
import { type Answer, type Call, type Handler, problem, serveFaulty } from '../support/contract/serve-faulty.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const JSON_TYPE = 'application/json'
const TAKEN: Answer = {
  status: 200,
  headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store' },
  body: '{"success":true,"email_exists":false}',
}

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

const sends =
  (change: (call: Call) => Partial<Call>): Handler =>
  (call, right) =>
    right({ ...call, ...change(call) })
const withKey = ({ headers, key }: Call, change: (key: string) => string) =>
  key ? { headers: { ...headers, 'idempotency-key': change(key) } } : {}

const isHuge = ({ body }: Call) => body.length > 65_536
/** Whether it was called with this text before. */
function seenBefore() {
  const seen = new Set<string>()
  return (text: string) => seen.size === seen.add(text).size
}
const [hasKeyBefore, hasBodyBefore, hasCarriedBefore] = [seenBefore(), seenBefore(), seenBefore()]
const [storedAddresses, keysInUse] = [new Set<string>(), new Set<string>()]

/** Answers so while another call with the same key is not answered yet. */
const whileKeyIsInUse =
  (answer: Answer): Handler =>
  async (call, right) => {
    if (keysInUse.has(call.key)) return answer
    if (call.key) keysInUse.add(call.key)
    await sleep(20)
    return right(call).finally(() => keysInUse.delete(call.key))
  }

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
const FAULTS: Readonly<Record<string, Handler | readonly Handler[]>> = {
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
  'ten equal enquiries at once with one key are accepted': whileKeyIsInUse(problem(409)),
  'a key of any UUID version is accepted': refuses(({ key }) => /^.{14}[^4]/.test(key)),
  'without a key, an equal enquiry is accepted again': refuses(({ key, text }) => key === '' && hasBodyBefore(text)),
  'enquiries at once are not mixed': keepsInOnePlace,
  '20 addresses at once are all stored': keepsInOnePlace,
  'a key that another call carried is free': refuses(
    ({ key, url }) => hasCarriedBefore(key) && url.endsWith('contact-us'),
  ),
  'keys that differ in one digit are two': sends((call) => withKey(call, (key) => key.replace(/.$/, '0'))),
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
  'a key stays bound for everybody, whatever comes after it': sends((call) => {
    const visitor = Buffer.from(call.headers.cookie ?? crypto.randomUUID()).toString('hex')
    return withKey(call, (key) => visitor.slice(-8) + key.slice(8))
  }),
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
  'addresses that differ in anything else are not': sends(({ text }) => ({
    body: Buffer.from(text.replace(/a\.b@/, 'ab@')),
  })),
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
    sends(({ method, headers }) => ({ method: headers['x-http-method-override'] ?? method })),
    sends(({ method, url }) => ({ method: /_method=(\w+)/.exec(url)?.[1] ?? method })),
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
  'rich text is the same when it comes again, and another in any detail': sends(({ text }) => ({
    body: Buffer.from(text.replaceAll('\\r\\n', '\\n')),
  })),
  'keys that differ only in case are one': takes(({ key }) => /[A-F]/.test(key)),
  'of two enquiries at once with one key, one is accepted': whileKeyIsInUse(TAKEN),
}

const server = await buildTestApp()
afterAll(() => server.close())

const faulty = Object.entries(FAULTS).flatMap(([title, handlers]) =>
  [handlers].flat().map((handler, i) => ({ title, i, handler })),
)

test.each(faulty)('a faulty backend is caught: $title ($i)', async ({ title, handler }) => {
  const host = await serveFaulty(server.app, handler)
  const { ended, results } = startRun(new URL(host), { seed: 42, runs: 100, only: title })
  await ended
  const caughtBy = results.filter(({ verdict }) => verdict === 'failed').map((result) => result.title)
  expect(caughtBy).toContainEqual(expect.stringContaining(title))
})

test('every check catches one', () => {
  const checks = checksOf(contract, { origin: 'http://x', seed: 1, runs: 1, restart: '' })
  const titles = checks.map(({ title }) => title.replace(/^\d+ (?=generated)/, ''))
  expect(new Set(titles)).toEqual(new Set([...Object.keys(FAULTS), 'not testable from outside']))
})
