import type { Socket } from 'node:net'
import { INVALID_HTTP, type Problem, problem } from './problems.ts'

/** Answers bytes that are no valid request, with these headers, if the connection still can, and closes it. */
export const answerClientErrors =
  (headers: Readonly<Record<string, string>>) =>
  ({ code }: NodeJS.ErrnoException, socket: Socket): void => {
    if (socket.writable) socket.write(response(clientProblem(code), headers))
    // Closes the connection once the answer is written.
    socket.destroySoon()
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
