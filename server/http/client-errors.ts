import type { Socket } from 'node:net'
import { INVALID_HTTP, type Problem, problem } from './problems.ts'

/** For the client to read the answer: closing a connection while the client still sends can discard it. */
const LINGER_MS = 2000

export type ClientErrors = {
  /** Answers bytes that are no valid request, if the connection still can, and closes it soon after. */
  answer(error: NodeJS.ErrnoException, socket: Socket): void
  /** Closes the connections that are still open for such an answer. */
  close(): void
}

/** `headers` are sent with every answer. */
export function createClientErrors(headers: Readonly<Record<string, string>>): ClientErrors {
  const lingering = new Set<Socket>()
  return {
    answer(error, socket) {
      if (!socket.writable) return
      socket.end(response(clientProblem(error.code), headers))
      lingering.add(socket)
      // The client may neither read nor close its side.
      const timer = setTimeout(() => socket.destroy(), LINGER_MS)
      socket.once('close', () => {
        clearTimeout(timer)
        lingering.delete(socket)
      })
    },
    close: () => {
      for (const socket of lingering) socket.destroy()
    },
  }
}

function response(problem: Problem, headers: Readonly<Record<string, string>>): string {
  const body = JSON.stringify(problem)
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join('')}\r\n${body}`
}

function clientProblem(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem(408)
  if (code === 'HPE_HEADER_OVERFLOW') return problem(431)
  return { ...problem(400), ...INVALID_HTTP }
}
