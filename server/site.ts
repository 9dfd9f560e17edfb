import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from './problems.ts'

const PAGE = 'index.html'

/** Whether `root` holds a built page. */
export const isBuilt = (root: string): boolean => existsSync(join(root, PAGE))

/** Serves the files that are in `root` now; each has a route of its own, so no path leads anywhere else. */
export async function serveSite(app: FastifyInstance, root: string): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    wildcard: false,
    globIgnore: [PAGE, '**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => reply.header('cache-control', cacheControl(path.slice(root.length + 1))),
  })
  app.get('/', (_request, reply) => reply.sendFile(PAGE))
}

/** Answers what no route of the site does: every other path is the page's, but a missing asset is missing. */
export function answerOffSite(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return sendProblem(reply.header('allow', 'GET, HEAD'), 405)
  }
  if (request.url.startsWith('/assets/')) return sendProblem(reply, 404)
  const query = request.url.indexOf('?')
  // Nothing of the path comes back: a location that begins with two slashes would be another host.
  return reply.redirect(query === -1 ? '/' : `/${request.url.slice(query)}`)
}

function cacheControl(file: string): string {
  // The names under assets/ change with their content.
  if (file.startsWith(`assets${sep}`)) return 'public, max-age=31536000, immutable'
  return file.startsWith(PAGE) ? 'no-cache' : 'public, max-age=86400'
}
