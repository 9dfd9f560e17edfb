import { afterAll, expect, test } from 'vitest'
import { junit } from '../../contract/check/junit.ts'
import { report } from '../../contract/check/report.ts'
import { startRun } from '../../contract/check/run.ts'
import { type Act, serveFaulty } from '../support/contract/serve-faulty.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const HEADERS = [
  ...['Content-Type: ', 'Content-Type: \xff\xfe', 'Location: \xff', 'Content-Encoding: gzip', 'no colon'],
  ...['Content-Length: 1', 'Content-Length: -1', 'Transfer-Encoding: chunked', `X: ${'x'.repeat(20_000)}`],
  'Set-Cookie: XSRF-TOKEN=\xe9%0a; Path=/',
]
const BODIES = ['', '{', '\ufeff{}', '\u0000\u001b[31m\u2028', '<h1 class="x">&', `"${'ab'.repeat(400_000)}"`]
/** As JSON: what a reader of answers may stumble over. */
const VALUES = [
  ...['null', '"x"', '{"toString":1}', '{"__proto__":{"pointer":"/email"}}', '[null]', '[{"header":["a"]}]'],
  ...['[{"pointer":{"toString":1},"detail":""}]', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
]

const typeOf = (status: number) => `Content-Type: application/${status < 400 ? '' : 'problem+'}json`
function answer(status: number, body: string | Buffer, header = typeOf(status)): Act {
  const head = Buffer.from(`HTTP/1.1 ${status} X\r\n${header}\r\n\r\n`, 'latin1')
  return (socket) => socket.end(Buffer.concat([head, Buffer.from(body)]))
}

/** By why there is no answer, or none that is whole. */
const LOST: Readonly<Record<string, Act>> = {
  'no whole answer in 2 s': (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'),
  'an answer of more than 1 MiB': answer(422, 'a'.repeat(2_000_000)),
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
  ...VALUES.map((value) => answer(422, `{"title":"x","status":${value},"errors":${value}}`)),
  ...VALUES.map((value) => answer(200, `{"success":true,"email_exists":${value}}`)),
]

const server = await buildTestApp()
afterAll(() => server.close())

test('whatever a backend answers, the check goes on to its end and says what came', async () => {
  let calls = 0
  // Every second call gets the next odd answer. Asked whether it is reachable, it is.
  const host = await serveFaulty(server.app, (call, right) => {
    const act = call.url === '/' || ++calls % 2 ? undefined : ACTS[(calls / 2) % ACTS.length]
    return act ?? right(call)
  })
  const run = startRun(new URL(host), { only: 'contactUs', callTimeoutMs: 2000 })
  await run.ended
  expect([run.isBroken(), run.stopReason()]).toEqual([false, null])
  const violations = run.results.flatMap((result) => result.violations)
  const responses = violations.map(({ response }) => response)
  expect(responses).toEqual(expect.arrayContaining(Object.keys(LOST).map((why) => `no answer: ${why}`)))
  expect(violations.filter((violation) => JSON.stringify(violation).length > 10_000)).toEqual([])
  expect(report(host, run)).toMatch(/\d+ answers\n/)
  // Without tags, attributes and entities.
  const texts = junit(run).replaceAll(/<\?xml .*\?>|<\/?[a-z-]+(?: [a-z]+="[^"<>]*")*>|&(?:amp|lt|gt|quot|#10);/g, '')
  expect(texts).not.toMatch(/[<>&"]/)
})
