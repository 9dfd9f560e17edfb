import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { PAGES_FILE, type Pages } from './built-pages.ts'
import { FILE_PATH, requestPath } from './paths.ts'
import { sendProblem } from './problems.ts'

export const isBuilt = (root: string): boolean => existsSync(join(root, PAGES_FILE))

/** A path without '.' and '..', empty parts, backslashes and control characters. */
const PLAIN_PATH = /^(\/(?!\.{0,2}(\/|$))[^/\\\p{Cc}]+)+$/u

/** Names under assets/ change with their content. */
const ASSET_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable' }

/** The names of other files, such as the icons, stay when their content changes. Other sites may show these files. */
const PUBLIC_FILE_HEADERS = { 'cache-control': 'public, max-age=86400', 'cross-origin-resource-policy': 'cross-origin' }

const MISSING = { detail: 'The page files are missing: they are being built, or were removed.' }

/** The worker that ends a service worker of an earlier site. */
const WORKER_REMOVER = '/sw.js'

/** Serves the files that are in `root` at the time of a request, so that a new build needs no restart. */
export async function serveSite(app: FastifyInstance, root: string): Promise<void> {
  await app.register(fastifyStatic, { root, serve: false, preCompressed: true, cacheControl: false })
  app.get('/*', async (request, reply) => {
    const path = requestPath(request)
    // A browser asks for a service worker of an earlier site. Whatever its path was, send the worker that ends it.
    if (request.headers['service-worker'] === 'script') {
      return reply.headers({ 'cache-control': 'no-cache', 'service-worker-allowed': '/' }).sendFile(WORKER_REMOVER)
    }
    const page = await findPage(root, path)
    if (page === 'missing') return sendProblem(reply, 503, MISSING)
    if (page !== null) {
      // A proxy must not change a page: its content policy would refuse changed styles and scripts.
      reply.headers({ 'content-security-policy': page.policy, 'cache-control': 'no-cache, no-transform' })
      return reply.sendFile(page.file)
    }
    if (!isFile(root, path)) return reply.callNotFound()
    return reply.headers(path.startsWith('/assets/') ? ASSET_HEADERS : PUBLIC_FILE_HEADERS).sendFile(path)
  })
}

/** Returns null if no page has this path, and 'missing' if the files of pages are being built or were removed. */
async function findPage(root: string, path: string): Promise<Pages[string] | 'missing' | null> {
  // The list is null while it is missing or incomplete. It is not validated, because the build has written it.
  const pages: Pages | null = await readFile(join(root, PAGES_FILE), 'utf8')
    .then(JSON.parse)
    .catch(() => null)
  if (pages === null) return FILE_PATH.test(path) && !path.endsWith('.html') ? null : 'missing'
  const [, page = null] = Object.entries(pages).find(([url, { file }]) => path === url || path === `/${file}`) ?? []
  return page && !existsSync(join(root, page.file)) ? 'missing' : page
}

const isFile = (root: string, path: string) =>
  FILE_PATH.test(path) && PLAIN_PATH.test(path) && existsSync(join(root, path))
