import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DIR, ERROR_TEXT, LANG } from '../../src/domain/texts.ts'
import { escapeHtml } from './html.ts'
import { API_PATH, addressWithoutCachedRedirect, requestPath } from './paths.ts'
import { CSP_ALLOW_NOTHING } from './security-headers.ts'

/** Whether the answer to a request can be a page. The answers of the API and of the health checks are for programs. */
export function canAnswerWithPage(request: FastifyRequest): boolean {
  const path = requestPath(request)
  return !API_PATH.test(path) && path !== '/healthz' && path !== '/readyz'
}

/** Whether a client accepts text/html itself, and not only all types. Browsers do so when they open a page. */
export const acceptsHtml = ({ headers: { accept = '' } }: FastifyRequest): boolean =>
  accept.split(',').some((range) => /^\s*text\/html\s*(;|$)/i.test(range) && !/;\s*q=0(\.0*)?\s*(;|$)/i.test(range))

const STYLE =
  'html{color-scheme:light dark}body{max-width:36rem;margin:15vh auto;padding:0 1.25rem;font:1.125rem/1.5 system-ui,sans-serif}'
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
const POLICY = `${CSP_ALLOW_NOTHING}; img-src 'self'; style-src 'sha256-${STYLE_HASH}'`

/** Sends a short page that says what is wrong. It needs no file of the build, because those may be missing. */
export function sendErrorPage(reply: FastifyReply, status: number): FastifyReply {
  const { heading, detail } = status < 500 ? ERROR_TEXT.notFound : ERROR_TEXT.unavailable
  const [title, text, link] = [heading, detail, ERROR_TEXT.link].map(escapeHtml)
  const page = [
    `<!doctype html><html lang="${escapeHtml(LANG)}" dir="${DIR}"><meta charset="utf-8"><title>${title}</title>`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style>`,
    `<main><h1>${title}</h1><p>${text}</p><p><a href="${addressWithoutCachedRedirect()}">${link}</a></p></main></html>`,
  ]
  return reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(page.join(''))
}
