import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

const HEADERS = [
  ...['Content-Type: ', 'Content-Type: ;', 'Content-Type: \xff\xfe', 'Content-Encoding: gzip', 'Location: \xff'],
  ...['Content-Length: 99', 'Content-Length: 1', 'Content-Length: -1', 'Transfer-Encoding: chunked'],
  ...['Set-Cookie: XSRF-TOKEN=\xe9%0a; Path=/', 'Set-Cookie: ;;;', 'Set-Cookie: __proto__=x', 'Connection: keep-alive'],
  ...[`Set-Cookie: a${'b'.repeat(9000)}=c`, `X: ${'x'.repeat(20_000)}`, 'X: \x7f', 'no colon', 'Allow: '],
]
const BODIES = [
  ...['', '<h1>Oops</h1>', '{', '\ufeff{}', '\u0000', '\u001b[31m', '\u2028', '😀'.repeat(300)],
  ...[Buffer.from([0xff, 0xc0]), 'a'.repeat(2_000_000), `"${'ab'.repeat(400_000)}"`],
]
/** As JSON: what a reader of answers may stumble over. */
export const ODD_VALUES = [
  ...['null', '1', '"x"', '[]', '{"toString":1}', '{"__proto__":{"pointer":"/email"}}', '[null]', '[[[]]]'],
  ...['[{"pointer":{"toString":1},"detail":""}]', '[{"header":["idempotency-key"]}]'],
  ...[`${'['.repeat(50_000)}${']'.repeat(50_000)}`, `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
]

const answer =
  (status: number, body: string | Buffer, header = `Content-Type: application/${status < 400 ? '' : 'problem+'}json`) =>
  (socket: Socket) => {
    socket.write(`HTTP/1.1 ${status} X\r\n${header}\r\n\r\n`, 'latin1')
    socket.end(body)
  }

const ACTS: readonly ((socket: Socket) => unknown)[] = [
  (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Ty'),
  (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'),
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.end('\u0000\u0001 nonsense \r\n\r\n'),
  (socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000)),
  ...[100, 101, 103, 204, 301, 304, 401, 431, 502, 600, 999].map((status) => answer(status, '{}')),
  ...['-1', 'Infinity', '1e9'].map((seconds) => answer(429, '{}', `Retry-After: ${seconds}`)),
  answer(101, '', 'Upgrade: x\r\nConnection: upgrade'),
  ...HEADERS.map((header) => answer(403, '{}', header)),
  ...BODIES.map((body) => answer(422, body)),
  ...ODD_VALUES.flatMap((value) => [
    answer(422, value),
    answer(422, `{"title":"x","status":${value},"errors":${value}}`),
    answer(200, `{"success":true,"email_exists":${value}}`),
  ]),
]

/** Serves a backend until the test ends: the right one, but every second call gets the next odd answer. */
export async function serveOdd(right: URL): Promise<string> {
  let calls = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (start) => {
      // Asked whether it is reachable, it is.
      const isRight = start.toString().startsWith('GET / ') || calls++ % 2 === 0
      if (!isRight) return ACTS[(calls / 2) % ACTS.length]?.(socket)
      const behind = connect({ port: Number(right.port), host: right.hostname }).on('error', () => socket.destroy())
      behind.write(start)
      return socket.pipe(behind).pipe(socket)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
