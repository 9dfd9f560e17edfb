import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { localServer } from '../local-server.ts'

type Route = (request: IncomingMessage, response: ServerResponse, pass: () => void) => unknown

export const API = /^\/api\//
/** Each attempt to import it has a query of its own. */
export const APP = /\.js\?/

export type Site = Awaited<ReturnType<typeof startProxy>>

/** An origin of its own in front of the server, for the length of one test: no browser has a cache of it. */
export async function startProxy(target: string) {
  const routes = new Map<RegExp, Route>()
  const { origin, received } = await localServer((incoming, response, body) => {
    const pass = () => forward(target, incoming, response, body)
    const [, route = pass] = [...routes].find(([paths]) => paths.test(incoming.url ?? '')) ?? []
    route(incoming, response, pass)
  })
  return {
    origin,
    /** What the browser has called so far. */
    calls: () => received.filter(({ path }) => API.test(path ?? '')),
    /** What becomes of requests for these paths; the server answers all others. */
    route: (paths: RegExp, route: Route) => void routes.set(paths, route),
    unroute: (paths: RegExp) => void routes.delete(paths),
    /** Requests for these paths wait until the returned function is called; then the server answers. */
    hold(paths: RegExp) {
      const released = Promise.withResolvers<void>()
      routes.set(paths, (_, __, pass) => released.promise.then(pass))
      return released.resolve
    },
  }
}

function forward(target: string, incoming: IncomingMessage, response: ServerResponse, body: string) {
  const { method, url = '', headers } = incoming
  request(new URL(url, target), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
    .on('error', () => response.destroy())
    .end(body)
}
