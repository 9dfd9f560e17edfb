import { existsSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from './problems.ts'

const PAGE = 'index.html'

/** The policy that fits the page, written by the build that made it. */
const POLICY_FILE = 'content-security-policy.txt'

/** Whether `root` holds a built page. */
export const isBuilt = (root: string): boolean => existsSync(join(root, PAGE)) && existsSync(join(root, POLICY_FILE))

/** Serves the files that are in `root` now; each has a route of its own, so no path leads anywhere else. */
export async function serveSite(app: FastifyInstance, root: string): Promise<void> {
  const policy = readFileSync(join(root, POLICY_FILE), 'utf8').trim()
  await app.register(fastifyStatic, {
    root,
    wildcard: false,
    globIgnore: [PAGE, POLICY_FILE, '**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const file = path.slice(root.length + 1)
      reply.header('cache-control', cacheControl(file))
      if (file.startsWith(PAGE)) reply.header('content-security-policy', policy)
    },
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
