import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_PATH, addressWithoutCachedRedirect, FILE_PATH, requestPath } from './paths.ts'
import { sendProblem } from './problems.ts'

/** Answers paths that no route has, and methods that a path does not have. */
export function answerUnknownPaths(app: FastifyInstance): void {
  function answer(request: FastifyRequest, reply: FastifyReply) {
    const path = requestPath(request)
    if (!API_PATH.test(path)) return answerOutsideApi(request, reply, path)
    const isOperation = app.hasRoute({ method: 'POST', url: path })
    return isOperation ? sendProblem(reply.header('allow', 'POST'), 405) : sendProblem(reply, 404)
  }
  app.setNotFoundHandler(answer)
  // Fastify calls that handler only after it has parsed the body. This hook answers before.
  app.addHook('onRequest', async (request, reply) => (request.is404 ? answer(request, reply) : undefined))
}

/** Redirects to the page at '/', but answers 404 to the path of a file that is missing. */
function answerOutsideApi(request: FastifyRequest, reply: FastifyReply, path: string) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return sendProblem(reply.header('allow', 'GET, HEAD'), 405)
  }
  if (FILE_PATH.test(path)) return sendProblem(reply, 404, { detail: 'There is no such file.' })
  // The location never contains the path, because '//x' would lead to the host x.
  const [, query] = /\?(.*)/.exec(request.url) ?? []
  return reply.redirect(addressWithoutCachedRedirect(query))
}
