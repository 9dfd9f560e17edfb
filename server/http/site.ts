import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from './problems.ts'
import { PAGES_FILE, type Pages } from './security-headers.ts'

/** The decoded path, as the router reads it, or the raw path if it can't be decoded. */
export function requestPath({ url }: FastifyRequest): string {
  const path = url.split(/[?#]/, 1)[0] ?? ''
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** Whether `root` holds built pages. */
export const isBuilt = (root: string): boolean => existsSync(join(root, PAGES_FILE))

/** The name of a single file, never a path. Compressed copies have no URL of their own. */
const ASSET = /^\w[\w.-]*(?<!\.br|\.gz)$/

/** Serves the files that are in `root` at the time of a request, so that a new build needs no restart. */
export async function serveSite(app: FastifyInstance, root: string): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    wildcard: false,
    globIgnore: ['*.html', PAGES_FILE, 'assets/**', '**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => reply.header('cache-control', cacheControl(relative(root, path))),
  })
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const page = (await readPages(root)).get(requestPath(request))
    if (!page) return reply.callNotFound()
    return reply.header('content-security-policy', page.policy).sendFile(page.file)
  }
  app.get('/', sendPage)
  app.get('/*', sendPage)
  app.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => {
    const { name } = request.params
    return ASSET.test(name) ? reply.sendFile(`assets/${name}`) : answerUnknownPath(request, reply)
  })
}

/** Redirects unknown paths to the page at '/'; answers 404 to missing assets. */
export function answerUnknownPath(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return sendProblem(reply.header('allow', 'GET, HEAD'), 405)
  }
  const path = requestPath(request)
  if (path === '/')
    return sendProblem(reply, 503, { detail: 'The page files are missing: they are being built, or were removed.' })
  if (path.startsWith('/assets/')) return sendProblem(reply, 404)
  const query = request.url.indexOf('?')
  // The path is not repeated: a location that begins with two slashes would be another host.
  return reply.redirect(query === -1 ? '/' : `/${request.url.slice(query)}`)
}

/** The built pages, by path. There are none while their list is missing or incomplete. */
async function readPages(root: string): Promise<ReadonlyMap<string, Pages[string]>> {
  try {
    // The cast is safe, because the build has written the file.
    return new Map(Object.entries(JSON.parse(await readFile(join(root, PAGES_FILE), 'utf8')) as Pages))
  } catch {
    return new Map()
  }
}

function cacheControl(file: string): string {
  // Names under assets/ change with their content.
  if (file.startsWith(`assets${sep}`)) return 'public, max-age=31536000, immutable'
  // A proxy must not change a page: its content policy would refuse changed styles and scripts.
  return /\.html(\.\w+)?$/.test(file) ? 'no-cache, no-transform' : 'public, max-age=86400'
}
