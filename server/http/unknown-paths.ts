import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { IN_API, NAMES_FILE, requestPath } from './paths.ts'
import { sendProblem } from './problems.ts'

/** Answers paths that no route has, and methods that a path does not have. */
export function answerUnknownPaths(app: FastifyInstance): void {
  function answer(request: FastifyRequest, reply: FastifyReply) {
    const path = requestPath(request)
    if (!IN_API.test(path)) return answerOutsideApi(request, reply, path)
    const isOperation = app.hasRoute({ method: 'POST', url: path })
    return isOperation ? sendProblem(reply.header('allow', 'POST'), 405) : sendProblem(reply, 404)
  }
  app.setNotFoundHandler(answer)
  // The body would be read and parsed before that handler.
  app.addHook('onRequest', async (request, reply) => (request.is404 ? answer(request, reply) : undefined))
}

/** Redirects to the page at '/', but answers 404 to the path of a file that is missing. */
function answerOutsideApi(request: FastifyRequest, reply: FastifyReply, path: string) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return sendProblem(reply.header('allow', 'GET, HEAD'), 405)
  }
  if (NAMES_FILE.test(path)) return sendProblem(reply, 404, { detail: 'There is no such file.' })
  // A browser may have kept a redirect of an earlier site from the page to this path. So the location differs from each
  // address that may have been redirected: it ends with a sign that has no meaning, and that the boot script removes.
  // The path is not repeated: a location that begins with two slashes would be another host.
  const [, query = ''] = /\?(.*)/.exec(request.url) ?? []
  return reply.redirect(query ? `/?${query}&` : '/?')
}
