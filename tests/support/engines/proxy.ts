import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { localServer } from '../local-server.ts'

type Route = (request: IncomingMessage, response: ServerResponse, pass: () => void) => unknown

/** An own origin in front of the server, for the length of one test: nothing is in the browser's cache there. */
export async function startProxy(target: string) {
  const routes = new Map<string, Route>()
  const { origin, received } = await localServer((incoming, response, body) => {
    const pass = () => forward(target, incoming, response, body)
    const [, route = pass] = [...routes].find(([start]) => incoming.url?.startsWith(start)) ?? []
    route(incoming, response, pass)
  })
  return {
    origin,
    /** What the browser has called so far. */
    calls: () => received.filter(({ path }) => path?.startsWith('/api/')),
    /** What becomes of requests for paths that begin so; the server answers all others. */
    route: (start: string, route: Route) => void routes.set(start, route),
    /** Lets requests for paths that begin so wait until the returned function is called; then the server answers. */
    hold(start: string) {
      const released = Promise.withResolvers<void>()
      routes.set(start, (_, __, pass) => released.promise.then(pass))
      return released.resolve
    },
    unroute: (start: string) => void routes.delete(start),
  }
}

function forward(
  target: string,
  { method, url = '', headers }: IncomingMessage,
  response: ServerResponse,
  body: string,
) {
  request(new URL(url, target), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
    .on('error', () => response.destroy())
    .end(body)
}
