import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** Sends bytes over a connection of their own, and reads the answer to its end; names of headers are in lower case. */
export async function sendBytes(port: number, bytes: string) {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  const [start = '', ...lines] = head.split('\r\n')
  const headers = lines
    .map((line) => line.split(/: (.*)/s))
    .map(([name = '', value = '']) => [name.toLowerCase(), value])
  return { status: Number(start.split(' ')[1]), headers: headers as [string, string][], body }
}
