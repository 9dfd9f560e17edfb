import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from './problems.ts'

/** The decoded path, as the router reads it. */
export const requestPath = ({ url }: FastifyRequest): string => decodeURI(url.split(/[?#]/, 1)[0] ?? '')

/** A path names a file if its last part has an extension, or if one of its parts begins with a dot. */
export const NAMES_FILE = /\.[^./]+$|\/\./

/** Answers paths that no route has, and methods that a path does not have. */
export function answerUnknownPaths(app: FastifyInstance): void {
  function answer(request: FastifyRequest, reply: FastifyReply) {
    const path = requestPath(request)
    if (!/^\/api(\/|$)/.test(path)) return answerOutsideApi(request, reply, path)
    const isOperation = app.hasRoute({ method: 'POST', url: path })
    return isOperation ? sendProblem(reply.header('allow', 'POST'), 405) : sendProblem(reply, 404)
  }
  app.setNotFoundHandler(answer)
  // The body would be read and parsed before that handler.
  app.addHook('onRequest', async (request, reply) => (request.is404 ? answer(request, reply) : undefined))
}

/** Redirects to the page at '/', but answers 404 to the path of a file that is missing. */
function answerOutsideApi(request: FastifyRequest, reply: FastifyReply, path: string) {
  reply.removeHeader('cache-control')
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return sendProblem(reply.header('allow', 'GET, HEAD'), 405)
  }
  if (path === '/') {
    return sendProblem(reply, 503, { detail: 'The page files are missing: they are being built, or were removed.' })
  }
  if (NAMES_FILE.test(path)) return sendProblem(reply, 404, { detail: 'There is no such file.' })
  const query = request.url.indexOf('?')
  // Of an earlier site, a browser may have kept a redirect from '/' to this path: without it there is no loop.
  reply.header('clear-site-data', '"cache"')
  // The path is not repeated: a location that begins with two slashes would be another host.
  return reply.redirect(query === -1 ? '/' : `/${request.url.slice(query)}`)
}
