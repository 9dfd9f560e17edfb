import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

/** Numbers from 0 to 1, the same for the same seed: Park and Miller's minimal standard. */
function randomFrom(seed: number): () => number {
  let state = seed * 1_000_003
  return () => {
    state = (state * 48_271) % 0x7fffffff
    return state / 0x7fffffff
  }
}

const STATUSES = [
  ...[200, 200, 422, 422, 400, 403, 404, 405, 413, 415, 429, 500, 503],
  ...[100, 101, 103, 204, 301, 304, 401, 431, 502, 600, 999],
]
const TYPES = ['application/json', 'application/problem+json', 'text/html', '', ';', 'application/json\t;', '\xff\xfe']
const HEADERS = [
  ...['Retry-After: 0', 'Retry-After: -1', 'Retry-After: Infinity', 'Retry-After: soon', 'Retry-After: 1e9'],
  ...['Set-Cookie: XSRF-TOKEN=\xe9%0a; Path=/', 'Set-Cookie: ;;;', `Set-Cookie: a${'b'.repeat(9000)}=c`],
  ...['Set-Cookie: __proto__=x', 'Allow: ', 'Location: \xff', 'Connection: keep-alive', 'X: \x7f', 'no colon'],
  ...['Content-Length: 99999999', 'Content-Length: 1', 'Content-Length: -1', 'Transfer-Encoding: chunked'],
  ...['Content-Encoding: gzip', 'Upgrade: x\r\nConnection: upgrade', `X-Long: ${'x'.repeat(20_000)}`],
]
/** As JSON: what a reader of answers may stumble over. */
export const ODD = [
  ...['null', '1', '"x"', '[]', '{"toString":1}', '{"__proto__":{"pointer":"/email"}}', '[null]', '[[[]]]'],
  ...['[{"pointer":{"toString":1},"detail":""}]', '[{"header":["idempotency-key"]}]'],
  ...[`${'['.repeat(50_000)}${']'.repeat(50_000)}`, `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
]

type Pick = <Item>(items: readonly Item[]) => Item

const BODIES: readonly ((pick: Pick) => string | Buffer)[] = [
  (pick) => `{"success":${pick(['true', ...ODD])},"email_exists":${pick(['true', 'false', ...ODD])}}`,
  (pick) => `{"title":"x","status":${pick(['422', '400', '403', ...ODD])},"errors":${pick(ODD)}}`,
  (pick) => pick(['', '<h1>Oops</h1>', '{', '\ufeff{}', '\u0000', '\u001b[31m', '\u2028', '😀'.repeat(300)]),
  () => 'a'.repeat(5_000_000),
  () => `"${'ab'.repeat(400_000)}"`,
  () => Buffer.from([0xff, 0xfe, 0xc0, 0x80]),
]

type Act = (socket: Socket, head: string, body: string | Buffer) => void

const whole: Act = (socket, head, body) => {
  socket.write(head, 'latin1')
  socket.end(body)
}

/** How an answer comes: mostly whole. */
const ACTS: readonly Act[] = [
  ...Array<Act>(8).fill(whole),
  (socket, head) => socket.end(head.slice(0, head.length / 2), 'latin1'),
  (socket, head) => socket.write(head, 'latin1'),
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.end('\u0000\u0001 nonsense \r\n\r\n'),
  (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000)),
  () => {},
  (socket, head) => pour(socket, head, 'x'.repeat(65_536)),
  (socket) => pour(socket, 'HTTP/1.1 200 OK\r\n', `X: ${'x'.repeat(1000)}\r\n`),
]

/** For as long as somebody reads. */
const pour = (socket: Socket, head: string, more: string) =>
  socket.write(head, 'latin1', function write(error?: Error | null) {
    if (!error) socket.write(more, write)
  })

/**
 * A backend that is the right one behind it, but answers some of its calls, or all, as chance will: with any status,
 * header and body, cut off, late, endless or not at all.
 */
export async function listenAtRandom(seed: number, right: URL) {
  const random = randomFrom(seed)
  const pick: Pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  const share = pick([1, 0.5, 0.2, 0.2, 0.05])
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    const isRight = random() >= share
    if (isRight || random() < 0.8) {
      const behind = connect({ port: Number(right.port), host: right.hostname })
      behind.on('error', () => socket.destroy())
      if (isRight) socket.pipe(behind).pipe(socket)
      else void nearlyRight(socket.pipe(behind), socket, pick)
      return
    }
    const headers = Array.from({ length: Math.floor(random() * 3) }, () => pick(HEADERS))
    const lines = [`HTTP/1.1 ${pick(STATUSES)} X`, `Content-Type: ${pick(TYPES)}`, ...headers]
    const [act, body] = [pick(ACTS), pick(BODIES)(pick)]
    socket.once('data', () => act(socket, `${lines.join('\r\n')}\r\n\r\n`, body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Of an answer in JSON: leaves, lists and objects. */
const VALUES = [/(?<=:)(?:"[^"]*"|\w+)/g, /(?<=:)\[.*\]/g, /\{[^{}]*\}/g]

/** Gives the right answer, but for one value in it. */
async function nearlyRight(behind: Socket, socket: Socket, pick: Pick) {
  const [head = '', json = ''] = (await text(behind).catch(() => '')).split('\r\n\r\n')
  const values = VALUES.flatMap((pattern) => [...json.matchAll(pattern)])
  const { 0: value = '', index = 0 } = values.length > 0 ? pick(values) : {}
  const body = json.slice(0, index) + pick(ODD) + json.slice(index + value.length)
  whole(socket, `${head.replace(/content-length: \d+/i, `content-length: ${Buffer.byteLength(body)}`)}\r\n\r\n`, body)
}
