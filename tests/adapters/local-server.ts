import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

type Received = {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A real server on a port of its own, for the length of one test. It keeps what it receives. */
export async function localServer(answer: RequestListener) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method, url: path, headers } = request
    const body = await text(request)
    received.push({ method, path, headers, body })
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => stop(server))
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, port, received, stop: () => stop(server) }
}

function stop(server: Server) {
  server.closeAllConnections()
  return new Promise<void>((resolve) => server.close(() => resolve()))
}

export const says =
  (body: string, status = 200, headers: Record<string, string | number> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body)
  }
