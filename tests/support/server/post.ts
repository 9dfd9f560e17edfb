import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** A call with JSON, as `fetch` and our clients of nginx take it. */
export const jsonCall = (body: object, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** Posts JSON as no browser does; status 0 stands for a call that had no whole answer in JSON. */
export async function post(url: string, body: object, headers: Record<string, string> = {}) {
  try {
    const answer = await fetch(url, jsonCall(body, headers))
    return { status: answer.status, body: await answer.json() }
  } catch {
    return { status: 0, body: {} }
  }
}

/** Sends bytes over a connection of their own, and reads the answer to its end. */
export function sendBytes(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}
