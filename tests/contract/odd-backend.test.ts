import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { junit, report } from '../../contract/check/report.ts'
import { startRun } from '../../contract/check/run.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const HEADERS = [
  ...['Content-Type: ', 'Content-Type: \xff\xfe', 'Location: \xff', 'Content-Encoding: gzip', 'no colon'],
  ...['Content-Length: 1', 'Content-Length: -1', 'Transfer-Encoding: chunked', `X: ${'x'.repeat(20_000)}`],
  ...['Set-Cookie: XSRF-TOKEN=\xe9%0a; Path=/', 'Set-Cookie: __proto__=x', `Set-Cookie: a${'b'.repeat(9000)}=c`],
]
const BODIES = ['', '{', '\ufeff{}', '\u0000\u001b[31m\u2028', '<h1 class="x">&', `"${'ab'.repeat(400_000)}"`]
/** As JSON: what a reader of answers may stumble over. */
const VALUES = [
  ...['null', '"x"', '{"toString":1}', '{"__proto__":{"pointer":"/email"}}', '[null]', '[{"header":["a"]}]'],
  ...['[{"pointer":{"toString":1},"detail":""}]', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
]

const answer =
  (status: number, body: string | Buffer, header = `Content-Type: application/${status < 400 ? '' : 'problem+'}json`) =>
  (socket: Socket) => {
    socket.write(`HTTP/1.1 ${status} X\r\n${header}\r\n\r\n`, 'latin1')
    socket.end(body)
  }

/** By why there is no answer, or none that is whole. */
const LOST: Readonly<Record<string, (socket: Socket) => unknown>> = {
  'no whole answer in 2 s': (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'),
  'an answer of more than 1 MiB': answer(422, 'a'.repeat(2_000_000)),
  'another protocol than HTTP': answer(101, '', 'Upgrade: x\r\nConnection: upgrade'),
  ECONNRESET: (socket) => socket.resetAndDestroy(),
  HPE_INVALID_CONSTANT: (socket) => socket.end('\u0000\u0001 nonsense \r\n\r\n'),
  'the connection was closed amid the answer': answer(403, '{}', 'Content-Length: 99'),
}
const ACTS = [
  ...Object.values(LOST),
  ...[100, 204, 301, 304, 600, 999].map((status) => answer(status, '{}')),
  answer(429, '{}', 'Retry-After: Infinity'),
  ...HEADERS.map((header) => answer(403, '{}', header)),
  ...[...BODIES, Buffer.from([0xff, 0xc0])].map((body) => answer(422, body)),
  ...VALUES.flatMap((value) => [
    answer(422, `{"title":"x","status":${value},"errors":${value}}`),
    answer(200, `{"success":true,"email_exists":${value}}`),
  ]),
]

const right = await buildTestApp()
const { port, hostname } = new URL(await right.listen())
let calls = 0
/** Every second call gets the next odd answer. */
const odd = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', (start) => {
    // Asked whether it is reachable, it is.
    const isRight = start.toString().startsWith('GET / ') || calls++ % 2 === 0
    if (!isRight) return ACTS[(calls / 2) % ACTS.length]?.(socket)
    const behind = connect({ port: Number(port), host: hostname }).on('error', () => socket.destroy())
    behind.write(start)
    return socket.pipe(behind).pipe(socket)
  })
})
await once(odd.listen(0, '127.0.0.1'), 'listening')
afterAll(() => Promise.all([odd.close(), right.close()]))

test('whatever a backend answers, the check goes on to its end and says what came', async () => {
  const host = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`
  const run = startRun(new URL(host), { seed: 42, runs: 0, only: 'contactUs', callTimeoutMs: 2000 })
  await run.ended
  expect([run.abortReason(), run.stopReason()]).toEqual([null, null])
  const violations = run.results.flatMap((result) => result.violations)
  const responses = violations.map(({ response }) => response)
  expect(responses).toEqual(expect.arrayContaining(Object.keys(LOST).map((why) => `no answer: ${why}`)))
  expect(violations.filter((violation) => JSON.stringify(violation).length > 10_000)).toEqual([])
  expect(report(host, run, 1000)).toMatch(/\d+ answers\n/)
  expect(textsIn(junit(run))).not.toMatch(/[<>&"]/)
  for (const { verdict, violations } of run.results) expect(violations.length > 0).toBe(verdict === 'failed')
})

/** What is left of XML without its tags, attributes and entities. */
const textsIn = (xml: string) =>
  xml.replaceAll(/<\?xml [^<>]*\?>|<\/?[a-z-]+(?: [a-z]+="[^"<>]*")*>|&(?:amp|lt|gt|quot|#10);/g, '')
