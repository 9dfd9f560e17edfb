import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'

export type Answer = { readonly status: number; readonly contentType: string; readonly body: string }

/** Writes raw bytes over a connection of their own, and `ends` its half of it; null if it closes without an answer. */
export async function exchange(port: number, pieces: readonly Buffer[], ends: boolean): Promise<Answer | null> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let received = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    // An answer is a whole one before the server closes, which it need not.
    if (readAnswer(received)) socket.destroy()
  })
  socket.on('end', () => socket.destroy())
  // A connection that is reset has its answer or has none.
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  for (const piece of pieces) {
    if (socket.destroyed) break
    socket.write(piece)
    await setImmediate()
  }
  if (ends) socket.end()
  await closed
  return readAnswer(received)
}

function readAnswer(received: Buffer): Answer | null {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return null
  const head = received.toString('latin1', 0, end)
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1])
  const body = received.subarray(end + 4)
  if (!(body.length >= length)) return null
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]),
    contentType: /^content-type: (.*)$/im.exec(head)?.[1] ?? '',
    body: body.toString('utf8', 0, length),
  }
}
