import type { Socket } from 'node:net'
import { NO_HTTP, type Problem, problem } from './problems.ts'

/** Milliseconds to read an answer in: a connection that is closed while its client still sends may take it along. */
const LINGER_MS = 2000

export type ClientErrors = {
  /** Answers, where it still can, a client whose bytes never became a request, and closes its connection soon after. */
  answer(error: NodeJS.ErrnoException, socket: Socket): void
  /** Closes at once what is still open for such an answer. */
  close(): void
}

/** `headers` go with every answer. */
export function createClientErrors(headers: Readonly<Record<string, string>>): ClientErrors {
  const lingering = new Set<Socket>()
  return {
    answer(error, socket) {
      if (!socket.writable) return
      socket.end(response(clientProblem(error.code), headers))
      lingering.add(socket)
      // The client need neither read nor end its side.
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
  return { ...problem(400), ...NO_HTTP }
}
