import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { failedIn, runCheck } from '../support/contract/run-check.ts'
import * as serve from '../support/contract/serve-faulty.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const { changes, counter, problem, refuses, repeats, says, serveFaulty, withHeaders } = serve
type Answer = serve.Answer
type Call = serve.Call
type Handler = serve.Handler

const server = await buildTestApp()
afterAll(() => server.close())

const TAKEN: Answer = {
  status: 200,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: '{"success":true,"email_exists":false}',
}
const takes = (isTaken: (call: Call, status: number) => boolean) =>
  changes(({ status }, call) => (isTaken(call, status) ? TAKEN : {}))
const sends =
  (change: (call: Call) => Partial<Call>): Handler =>
  (call, right) =>
    right({ ...call, ...change(call) })
const writes = (from: string | RegExp, to: string) =>
  sends(({ text }) => ({ body: Buffer.from(text.replaceAll(from, to)) }))
const sets = (from: string | RegExp, to: string) =>
  withHeaders(({ 'set-cookie': line }) => (line ? { 'set-cookie': `${line}`.replace(from, to) } : {}))
/** What is true from the second call with the same text on. */
function isAgain(textOf: (call: Call) => string) {
  const nth = counter()
  return (call: Call) => textOf(call) !== '' && nth(textOf(call)) > 1
}

const isHuge = ({ body }: Call) => body.length > 65_536
const isToken = ({ headers }: Call) => 'x-xsrf-token' in headers
const nthPing = counter()
const drops = (socket: Socket) => socket.destroy()
/** Refuses, and closes the connection without a word. */
const closes = (socket: Socket) => {
  const { headers, body } = problem(415)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(['HTTP/1.1 415 X', ...lines, `content-length: ${body.length}`, '', body].join('\r\n'))
}
const exists = (isWrong: (call: Call) => boolean) => says('exists":true', 'exists":false', isWrong)
const isNew = (isWrong: (call: Call) => boolean) => says('exists":false', 'exists":true', isWrong)

/** By the start of a sentence: backends that keep the contract except for one fault that breaks this sentence. */
const FAULTS: Readonly<Record<string, readonly Handler[]>> = {
  'A request with neither': [says('"success":true', '"success":false'), says(/(?=.*_e)/, '\ufeff')],
  'A backend may answer 403': [refuses(({ headers }) => 'origin' in headers, 403)],
  'a `charset`, quoted': [refuses(({ type }) => type !== 'application/json', 415)],
  'Another type': [takes(({ type }) => type.includes('utf-16')), repeats(({ headers }) => headers['content-encoding'])],
  'A query string': [refuses(({ url }) => url.includes('?'), 404)],
  'A body has a': [refuses(({ body }) => body.length > 60_000, 413)],
  'one over 64 KiB': [
    takes((call) => isHuge(call) && 'transfer-encoding' in call.headers),
    takes((call) => isHuge(call) && call.text.length <= 65_536),
  ],
  'A body that is not JSON': [
    takes(({ text }) => text === 'NaN'),
    writes(/(?<=[{,])([a-z]+):/g, '"$1":'),
    writes(/[\ufeff\ufffd]/g, ''),
    says('"status":400', '"status":500'),
  ],
  'Values that are nested': [refuses(({ text }) => text.includes('[[[['), 500)],
  'So is a text with an escaped': [takes(({ text }) => text.includes('\\ud800'))],
  'Of two fields': [writes(/,"email":5}$/g, '}')],
  'one that breaks a schema': [
    says('"/name"', '"/name/first"'),
    writes(/"email":\["([^"]+)"\]/g, '"email":"$1"'),
    writes(/"(first|msg)":true/g, '"$1":"true"'),
  ],
  'A missing field': [
    says('"/name/last"', '"/name"', ({ text }) => text.includes('"name":{}')),
    says('"errors":[', '"errors":[{"pointer":"/name/middle","detail":"is missing"},'),
  ],
  'Each field at fault': [says(/(rs":\[(?:{[^}]*},){9}{[^}]*}),.*]/, '$1]'), says(/("errors":\[{[^}]*}),.*]/, '$1]')],
  'No field without': [says('/a~1b~0c', '/a/b~c'), writes('"mſg":', '"msg":')],
  'An email address': [
    refuses(({ email }) => email.includes('#')),
    takes(({ email }) => /@b{64}\./.test(email)),
    takes(({ email }) => /^"contract.*"@/.test(email)),
  ],
  '**Lengths**': [takes(({ msg }) => [...msg].length > 5000), refuses(({ msg }) => Buffer.byteLength(msg) > 5000)],
  'Free text': [writes('👍', '\\u0000')],
  'White space': [writes('\ufeff', '')],
  'no control': [takes(({ text }) => text.includes('\u2028'))],
  'another method': [
    withHeaders(() => ({ allow: [] })),
    sends(({ method, headers }) => ({ method: headers['x-http-method-override'] ?? method })),
    sends(({ method, url }) => ({ method: /_method=(\w+)/.exec(url)?.[1] ?? method })),
  ],
  '`/api` and an unknown': [
    refuses(({ method }) => method === 'DELETE', 405),
    repeats(({ url }) => `${url} at /app/x`),
  ],
  'A UUID': [refuses(({ key }) => /^.{14}[^4]/.test(key)), takes(({ key }) => key.includes(', '))],
  'The page then': [refuses(({ headers }) => /a\+b/.test(`${headers.cookie}`), 403)],
  'A backend that uses': [takes((call, status) => isToken(call) && status === 403)],
  'A value over': [takes(({ headers }) => `${headers['x-xsrf-token']}`.length > 4096)],
  'After an answer': [
    refuses(({ headers }) => headers.connection === 'keep-alive'),
    (call, right) => (call.text.includes('"none"') ? drops : right(call)),
    (call, right) => (call.type === 'text/plain' ? closes : right(call)),
  ],
  'A fresh value': [sets(/=[^;]+/, '=the-same-for-everybody'), sets('XSRF', 'OTHER')],
  'Nothing of a refused': [isNew(isAgain(({ email }) => email))],
  'Adds an address': [isNew(isAgain(({ email }) => email))],
  '`subscribe` ignores': [refuses(({ key }) => key === 'no UUID')],
  'exactly one': [exists(isAgain(({ email }) => email))],
  'Addresses that': [exists(({ email }) => /[A-Z]/.test(email) && email.includes('EXAMPLE'))],
  'all others': [writes('a.b@', 'ab@')],
  'a repeat with': [
    refuses(({ text, key }) => key !== '' && text.includes('\n')),
    refuses(
      isAgain(({ key }) => key),
      409,
    ),
  ],
  'Without the header': [refuses(isAgain(({ key, text }) => (key === '' ? text : '')))],
  'after an attempt': [refuses(isAgain(({ key }) => key))],
  'the same key': [says('"header":"Idempotency-Key"', '"pointer":""'), takes(({ key }) => /[A-F]/.test(key))],
  'Bodies are the same': [writes('\\r\\n', '\\n'), takes(({ text }) => text.includes('"first":"ab","last":"c"'))],
  'Of two different': [takes((_, status) => status === 422)],
  'the data survives': [
    // It is down for every other moment, and forgets the keys.
    (call, right) =>
      call.url === '/api' && nthPing('') % 2 === 1 ? drops : takes((_, status) => status === 422)(call, right),
  ],
}

const folded = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const DOCUMENT = folded(readFileSync('openapi.yaml', 'utf8')).replaceAll("''", "'")
/** The sentences that a failure begins with. */
const sentencesIn = (said: string) => said.replace(/\nexpected .*/s, '').split('\n')

const FAULTY = Object.entries(FAULTS).flatMap(([start, handlers]) =>
  handlers.map((handler, i) => ({ start, handler, i })),
)
test.for(FAULTY)('a faulty backend breaks a sentence of the contract: $start, $i', async ({ start, handler }) => {
  const restart = start.startsWith('the data') ? 'true' : ''
  const results = await runCheck(await serveFaulty(server.app, handler), start, { restart })
  const failed = failedIn(results)
  expect(failed.filter(({ title }) => title.startsWith(start))).not.toEqual([])
  expect(failed.flatMap(({ errors }) => errors.map(({ name }) => name)).filter((name) => name !== 'Contract')).toEqual(
    [],
  )
  expect(failed.flatMap(({ said }) => sentencesIn(said)).filter((sentence) => !DOCUMENT.includes(sentence))).toEqual([])
})

test('every sentence that is checked has a faulty backend, and stands in the contract', async () => {
  const results = await runCheck(await serveFaulty(server.app, (call, right) => right(call)))
  const sentences = [...new Set(results.map(({ title }) => title.replace(/ \| .*/s, '')))]
  expect(sentences.filter((sentence) => !DOCUMENT.includes(folded(sentence)))).toEqual([])
  const starts = Object.keys(FAULTS)
  expect(sentences.filter((sentence) => !starts.some((start) => sentence.startsWith(start)))).toEqual([])
})

test('of a fresh cookie that has several faults, each is told', async () => {
  const wrong = sets(/=.*/, '=a%0a; Path=/api; HttpOnly; Domain=a.example; SameSite=None; Max-Age=0')
  const [first] = failedIn(await runCheck(await serveFaulty(server.app, wrong), 'A request with neither'))
  const wanted = ['Path=/', 'without HttpOnly', 'without Domain', 'SameSite=Strict or Lax', 'that lasts']
  for (const one of [...wanted, 'with 16 characters', 'a decoded value for a header'])
    expect(first?.said).toContain(one)
})
