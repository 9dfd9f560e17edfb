import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

type Received = Pick<IncomingMessage, 'method' | 'headers'> & {
  readonly path?: string | undefined
  readonly body: string
}

/** Starts a real server on its own port until the test ends. It records the received calls. */
export async function localServer(answer: (...args: [...Parameters<RequestListener>, body: string]) => void) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method, url: path, headers } = request
    const body = await text(request)
    received.push({ method, path, headers, body })
    answer(request, response, body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  function stop() {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(stop)
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, port, received, stop }
}

export const says =
  (body: string, status = 200, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body)
  }
