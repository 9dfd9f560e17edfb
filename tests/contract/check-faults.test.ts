import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { type Call, changes, type Handler, problem, serveFaulty } from '../support/contract/faulty-backend.ts'
import { runCheck } from '../support/contract/run-check.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const server = await buildTestApp()
afterAll(server.close)

const NEW = '{"success":true,"email_exists":false}'
const writes = (from: string | RegExp, to: string) => changes(({ body }) => ({ body: body.replace(from, to) }))
const refuses = (isRefused: (call: Call) => boolean) => changes((_, call) => (isRefused(call) ? problem(422) : {}))
const setsCookie = (from: string | RegExp, to: string) =>
  changes(({ headers: { 'set-cookie': line, ...headers } }) => ({
    headers: line ? { ...headers, 'set-cookie': `${line}`.replace(from, to) } : headers,
  }))

/** Whether it was called with this text already. */
function memory() {
  const texts = new Set<string>()
  return (text: string) => texts.size === texts.add(text).size
}
const [knowsKey, knowsBody, knowsAddress] = [memory(), memory(), memory()]

const typesErrors = changes(({ status, headers }) => ({
  headers: { ...headers, 'content-type': status < 400 ? 'application/json' : 'text/html' },
}))
const repeats = changes(({ body }, call) => {
  const [, message] = /"msg":"([^"]*)/.exec(`${call.body}`) ?? []
  return { body: body.replace('"detail":"', `"detail":"${message} `) }
})
const tellsTwo = changes(({ body }, { email }) =>
  body.includes('exists":true') && !knowsAddress(email) ? { body: NEW } : {},
)
const tellsCases = changes((_, { email }) => (email.includes('@EX') ? { body: NEW } : {}))
const listsAll = writes('exists":false', 'exists":true')
const dropsDots: Handler = (call, right) => right({ ...call, body: Buffer.from(`${call.body}`.replace('a.b@', 'ab@')) })
const REFUSAL =
  'HTTP/1.1 415 X\r\ncontent-type: application/problem+json\r\ncache-control: no-store\r\ncontent-length: 27'
const closes: Handler = ({ headers, ...call }, right) =>
  headers['content-type'] === 'text/plain'
    ? (socket) => socket.end(`${REFUSAL}\r\n\r\n{"title":"X","status":415}\n`)
    : right({ headers, ...call })
let pings = 0
/** Is down for every other moment, and then has nothing any more. */
const losesAll: Handler = async (call, right) => {
  if (call.url !== '/api') return right(call)
  for (const table of ['subscribers', 'enquiries'] as const)
    await server.database.run((db) => db.deleteFrom(table).execute())
  pings += 1
  return pings % 2 === 1 ? (socket) => socket.destroy() : right(call)
}

/** Backends that keep the contract but for one fault, and the starts of the sentences that it breaks. */
const FAULTY: readonly (readonly [fault: string, Handler, ...sentences: string[]])[] = [
  ['declines everything', writes('"success":true', '"success":false'), 'A request with neither'],
  ['writes a byte order mark', writes(/^/, '\ufeff'), 'A request with neither'],
  ['sends errors as HTML', typesErrors, 'A body that is not JSON'],
  ['writes another status than it sends', writes('"status":400', '"status":500'), 'A body that is not JSON'],
  ['names only one field at fault', writes(/("errors":\[{[^}]*}),.*]/, '$1]'), 'Each field at fault'],
  ['names a field without fault', writes('"errors":[', '"errors":[{"pointer":"/x","detail":"x"},'), 'A missing field'],
  ['repeats a message in an error', repeats, 'A missing field'],
  ['shows a path of its machine', writes('"detail":"', '"detail":"/srv/app/x '), '`/api` and an unknown'],
  ['gives all visitors one token', setsCookie(/=[^;]+/, '=the-same-for-everybody'), 'A fresh value'],
  ['sets no fresh token', setsCookie('XSRF', 'OTHER'), 'A fresh value'],
  ['closes the connection without saying so', closes, 'After an answer'],
  ['tells all that they are listed', listsAll, 'Nothing of a refused', 'Adds an address', '`subscribe` ignores'],
  ['tells two of ten that they are new', tellsTwo, 'exactly one'],
  ['tells addresses apart by case', tellsCases, 'Addresses that differ'],
  ['drops the dots of an address', dropsDots, 'all others'],
  ['takes a key only once', refuses(({ key }) => key !== '' && knowsKey(key)), 'a repeat with', 'after an attempt'],
  ['needs a key for a repeat', refuses(({ key, body }) => key === '' && knowsBody(`${body}`)), 'Without the header'],
  ['loses what it has stored', losesAll, 'subscribe > the data', 'contactUs > the data'],
]

const folded = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const DOCUMENT = folded(readFileSync('openapi.yaml', 'utf8')).replaceAll("''", "'")

test.for(FAULTY)('the check finds a backend that %s', async ([, handler, ...starts]) => {
  const { failed } = await runCheck(await serveFaulty(server.app, handler), starts, { restart: 'true' })
  expect(starts.filter((start) => !failed.some(({ name }) => name.includes(start)))).toEqual([])
  const told = failed.flatMap(({ told }) => told.replace(/\nexpected .*/s, '').split('\n'))
  expect(told.filter((sentence) => !DOCUMENT.includes(sentence))).toEqual([])
})

/** Takes what it has to refuse, and refuses what it has to take. */
const inverts = changes(({ status, headers }) =>
  status < 400
    ? { ...problem(422), headers: { ...headers, 'content-type': 'application/problem+json' } }
    : { status: 200, body: NEW, headers: { ...headers, 'content-type': 'application/json' } },
)

test('every sentence that is checked stands in the contract, and can be broken', async () => {
  const { names } = await runCheck('http://127.0.0.1:1', [''])
  const sentences = [...new Set(names.map((name) => name.replace(/^\w+ > | \| .*/gs, '')))]
  expect(sentences.filter((sentence) => !DOCUMENT.includes(folded(sentence)))).toEqual([])
  const starts = FAULTY.flatMap(([, , ...starts]) => starts.map((start) => start.replace(/.* > /, '')))
  const others = sentences.filter((sentence) => !starts.some((start) => sentence.startsWith(start)))
  const host = await serveFaulty(server.app, inverts)
  // A part breaks fewer than ten faults, after which the check stops.
  for (let start = 0; start < others.length; start += 5) {
    const part = others.slice(start, start + 5)
    const { failed } = await runCheck(host, part)
    expect(part.filter((sentence) => !failed.some(({ name }) => name.includes(sentence)))).toEqual([])
  }
})
