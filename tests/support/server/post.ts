import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** The options of a call with JSON, for `fetch`. */
const jsonCall = (body: object, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** Posts JSON without the headers of a browser. Status 0 means that no complete answer in JSON came. */
export async function post(url: string, body: object, headers: Record<string, string> = {}) {
  try {
    const answer = await fetch(url, jsonCall(body, headers))
    return { status: answer.status, body: await answer.json() }
  } catch {
    return { status: 0, body: {} }
  }
}

/** Sends bytes over a new connection, and reads the answer to its end. */
export function sendBytes(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}
