import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { type Call, changes, type Handler, problem, serveFaulty } from '../support/contract/faulty-backend.ts'
import { runCheck } from '../support/contract/run-check.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const server = await buildTestApp()
afterAll(server.close)

const NEW = '{"success":true,"email_exists":false}'
const writes = (pattern: string | RegExp, replacement: string) =>
  changes(({ body }) => ({ body: body.replace(pattern, replacement) }))
const refuses = (isRefused: (call: Call) => boolean) => changes((_, call) => (isRefused(call) ? problem(422) : {}))
const setsCookie = (pattern: string | RegExp, replacement: string) =>
  changes(({ headers: { 'set-cookie': line, ...headers } }) => ({
    headers: line ? { ...headers, 'set-cookie': `${line}`.replace(pattern, replacement) } : headers,
  }))

/** Makes a function that says whether it was called with this text before. */
function memory() {
  const texts = new Set<string>()
  return (text: string) => texts.size === texts.add(text).size
}
const [knowsKey, knowsBody, knowsAddress] = [memory(), memory(), memory()]

const sendsErrorsAsHtml = changes(({ status, headers }) => ({
  headers: { ...headers, 'content-type': status < 400 ? 'application/json' : 'text/html' },
}))
const repeatsMessage = changes(({ body }, call) => {
  const [, message] = /"msg":"([^"]*)/.exec(`${call.body}`) ?? []
  return { body: body.replace('"detail":"', `"detail":"${message} `) }
})
const saysNewTwice = changes(({ body }, { email }) =>
  body.includes('exists":true') && !knowsAddress(email) ? { body: NEW } : {},
)
const comparesCase = changes((_, { email }) => (email.includes('@EX') ? { body: NEW } : {}))
const saysAllExist = writes('exists":false', 'exists":true')
const dropsDots: Handler = (call, askReference) =>
  askReference({ ...call, body: Buffer.from(`${call.body}`.replace('a.b@', 'ab@')) })
const ignoresCase: Handler = ({ headers, ...call }, askReference) => {
  const token = headers['x-xsrf-token']
  return askReference({ ...call, headers: token ? { ...headers, 'x-xsrf-token': `${token}`.toLowerCase() } : headers })
}
const decodesChunks: Handler = (call, askReference) => (call.chunks.every(isUtf8) ? askReference(call) : problem(400))
let pings = 0
/** Deletes all data at each ping, and drops the connection of every second ping. */
const losesAll: Handler = async (call, askReference) => {
  if (call.url !== '/api') return askReference(call)
  for (const table of ['subscribers', 'enquiries'] as const)
    await server.database.run((db) => db.deleteFrom(table).execute())
  pings += 1
  return pings % 2 === 1 ? (socket) => socket.destroy() : askReference(call)
}

/** Backends with one fault each, and the beginnings of the contract's sentences that the fault breaks. */
const FAULTY: readonly (readonly [fault: string, Handler, ...sentences: string[]])[] = [
  ['declines everything', writes('"success":true', '"success":false'), 'A request with neither'],
  ['writes a byte order mark', writes(/^/, '\ufeff'), 'A request with neither'],
  ['sends errors as HTML', sendsErrorsAsHtml, 'A body that is not JSON'],
  ['writes another status than it sends', writes('"status":400', '"status":500'), 'A body that is not JSON'],
  ['names only one field at fault', writes(/("errors":\[{[^}]*}),.*]/, '$1]'), 'Each field at fault'],
  ['names a field without fault', writes('"errors":[', '"errors":[{"pointer":"/x","detail":"x"},'), 'A missing field'],
  ['repeats a message in an error', repeatsMessage, 'A missing field'],
  ['shows a path of its machine', writes('"detail":"', '"detail":"/srv/app/x '), '`/api` and an unknown'],
  ['gives all visitors the same token', setsCookie(/=[^;]+/, '=the-same-for-everybody'), 'A fresh value'],
  ['compares tokens without case', ignoresCase, 'A backend that uses the scheme'],
  ['sets no fresh token', setsCookie('XSRF', 'OTHER'), 'A fresh value'],
  ['says that every address is stored', saysAllExist, 'Nothing of a refused'],
  ['calls an address new in two of ten answers', saysNewTwice, 'exactly one'],
  ['takes another case for another address', comparesCase, 'Addresses that differ'],
  ['drops the dots of an address', dropsDots, 'all others'],
  ['decodes each chunk of a body alone', decodesChunks, 'After an answer'],
  ['accepts a key only once', refuses(({ key }) => key !== '' && knowsKey(key)), 'a repeat with', 'after an attempt'],
  ['needs a key for a repeat', refuses(({ key, body }) => key === '' && knowsBody(`${body}`)), 'Without the header'],
  ['loses its stored data', losesAll, 'subscribe > the data', 'contactUs > the data'],
]

const folded = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const DOCUMENT = folded(readFileSync('openapi.yaml', 'utf8')).replaceAll("''", "'")

test.for(FAULTY)('the check finds a backend that %s', async ([, handler, ...starts]) => {
  const { failed } = await runCheck(await serveFaulty(server.app, handler), starts, ['--restart', 'true'])
  expect(starts.filter((start) => !failed.some(({ name }) => name.includes(start)))).toEqual([])
})

/** Accepts the calls that it has to refuse, and refuses the calls that it has to accept. */
const inverts = changes(({ status, headers }) =>
  status < 400
    ? { ...problem(422), headers: { ...headers, 'content-type': 'application/problem+json' } }
    : { status: 200, body: NEW, headers: { ...headers, 'content-type': 'application/json' } },
)

test('every checked sentence is in the contract, and a faulty backend breaks it', async () => {
  const { names } = await runCheck(await server.listen())
  const sentences = [...new Set(names.map((name) => name.replace(/^\w+ > | \| .*/gs, '')))]
  expect(sentences.filter((sentence) => !DOCUMENT.includes(folded(sentence)))).toEqual([])
  const starts = FAULTY.flatMap(([, , ...starts]) => starts.map((start) => start.replace(/.* > /, '')))
  const otherSentences = sentences.filter((sentence) => !starts.some((start) => sentence.startsWith(start)))
  const host = await serveFaulty(server.app, inverts)
  // Each part has fewer than ten faults, because the check stops after ten.
  for (let start = 0; start < otherSentences.length; start += 3) {
    const part = otherSentences.slice(start, start + 3)
    const { failed } = await runCheck(host, part)
    expect(part.filter((sentence) => !failed.some(({ name }) => name.includes(sentence)))).toEqual([])
  }
})

test('the guide has every place that the advice of the check names', () => {
  const sources = ['answer', 'main', 'sequences', 'table'].map((name) =>
    readFileSync(`contract/check/${name}.ts`, 'utf8'),
  )
  const anchors = sources.flatMap((source) => [...source.matchAll(/ #([a-z\d-]+)['"]/g)].map(([, anchor]) => anchor))
  const headings = readFileSync('docs/implementing-the-contract.md', 'utf8').matchAll(/^#+ (.*)$/gm)
  const places = [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
  expect(anchors.length).toBeGreaterThan(20)
  expect(anchors.filter((anchor) => !places.includes(`${anchor}`))).toEqual([])
})
