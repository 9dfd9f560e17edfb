import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { PAGES_FILE, type Pages } from './built-pages.ts'
import { FILE_PATH, requestPath } from './paths.ts'
import { sendProblem } from './problems.ts'

/** Whether `root` holds built pages. */
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
    const pages = await readPages(root)
    const [, page] = Object.entries(pages ?? {}).find(([url, { file }]) => path === url || path === `/${file}`) ?? []
    if (page && existsSync(join(root, page.file))) {
      // A proxy must not change a page: its content policy would refuse changed styles and scripts.
      reply.headers({ 'content-security-policy': page.policy, 'cache-control': 'no-cache, no-transform' })
      return reply.sendFile(page.file)
    }
    const couldBePage = pages === null && (!FILE_PATH.test(path) || path.endsWith('.html'))
    if (page || couldBePage) return sendProblem(reply, 503, MISSING)
    if (!FILE_PATH.test(path) || !PLAIN_PATH.test(path) || !existsSync(join(root, path))) return reply.callNotFound()
    return reply.headers(path.startsWith('/assets/') ? ASSET_HEADERS : PUBLIC_FILE_HEADERS).sendFile(path)
  })
}

/** The built pages, by path. Null while their list is missing or incomplete. */
async function readPages(root: string): Promise<Pages | null> {
  try {
    // The content is not validated, because the build has written the file.
    return JSON.parse(await readFile(join(root, PAGES_FILE), 'utf8'))
  } catch {
    return null
  }
}
