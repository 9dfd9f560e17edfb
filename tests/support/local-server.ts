import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

type Received = Pick<IncomingMessage, 'method' | 'headers'> & {
  readonly path?: string | undefined
  readonly body: string
}

/** Lets a server listen on a free port of loopback. Returns the port. */
async function listenOnLoopback(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // A listening TCP server has an AddressInfo.
  return (server.address() as AddressInfo).port
}

/** A port of loopback that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createTcpServer()
  const port = await listenOnLoopback(server)
  server.close()
  return port
}

/** Lets a server listen on loopback until the test ends. Returns its port. */
export async function listenInTest(server: Server): Promise<number> {
  onTestFinished(() => void server.close())
  return listenOnLoopback(server)
}

/** Starts a real server on its own port until the test ends. It records each call that arrives completely. */
export async function localServer(answer: (...args: [...Parameters<RequestListener>, body: string]) => void) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method, url: path, headers } = request
    // Null if the client has closed the connection.
    const body = await text(request).catch(() => null)
    if (body === null) return
    received.push({ method, path, headers, body })
    answer(request, response, body)
  })
  const port = await listenOnLoopback(server)
  function stop() {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(stop)
  return { origin: `http://127.0.0.1:${port}`, port, received, stop }
}

/** A listener that gives every call the same answer. */
export const answerWith =
  (body: string, status = 200, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body)
  }
