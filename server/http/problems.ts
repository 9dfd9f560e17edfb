import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { components } from '../../contract/contract.d.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../src/domain/cookies.ts'
import { MAX_BODY_BYTES } from '../../src/domain/enquiry-fields.ts'
import { acceptsHtml, canAnswerWithPage, sendErrorPage } from './error-page.ts'
import { type FieldError, fieldErrors, headerErrors } from './field-errors.ts'

type Problem = components['schemas']['Problem']

/** Looks at a call before its body is read. Returns ACCEPTED, or the reply with which it has refused the call. */
export type Guard = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | typeof ACCEPTED

/** Fastify goes on with the call if a hook returns this. */
export const ACCEPTED = undefined

const DETAILS = {
  400: 'The body is not valid JSON.',
  403: `The ${XSRF_HEADER} header does not match the ${XSRF_COOKIE} cookie. Try again with the fresh cookie.`,
  404: 'There is no such path. openapi.yaml lists the paths.',
  405: 'Use a method listed in the Allow header.',
  412: 'The file does not match the preconditions of the request.',
  413: `The body is larger than ${MAX_BODY_BYTES.toLocaleString('en')} bytes.`,
  415: 'Send the body as application/json in UTF-8.',
  416: 'The file does not have this range. Content-Range gives its length.',
  422: 'A field is missing or invalid.',
  429: 'Too many requests from this address. Wait for the number of seconds in Retry-After.',
  500: 'The server failed. The same request may succeed later.',
  503: 'Nothing can be stored at the moment. Wait for the number of seconds in Retry-After.',
} as const

type ProblemStatus = keyof typeof DETAILS

/** The titles of RFC 9110. Node has older titles for 413 and 422. */
const TITLES: typeof STATUS_CODES = { ...STATUS_CODES, 413: 'Content Too Large', 422: 'Unprocessable Content' }

const isProblemStatus = (status: number): status is ProblemStatus => Object.hasOwn(DETAILS, status)

/**
 * Answers with a problem document (RFC 9457). Outside the API, a browser gets an error page instead. `details` must not
 * repeat a value that was sent.
 */
export function sendProblem(
  reply: FastifyReply,
  status: ProblemStatus,
  details: { type?: string; detail?: string; errors?: readonly FieldError[] } = {},
): FastifyReply {
  reply.code(status).header('cache-control', 'no-store')
  if (status === 503) reply.header('retry-after', 2)
  if (canAnswerWithPage(reply.request)) {
    reply.header('vary', 'accept')
    if (acceptsHtml(reply.request)) return sendErrorPage(reply, status)
  }
  const title = TITLES[status] ?? ''
  const problem: Problem = { type: 'about:blank', title, status, detail: DETAILS[status], ...details }
  // The body is sent as bytes, because Fastify adds a charset to strings. This media type must not have a charset.
  const body = Buffer.from(JSON.stringify(problem))
  return reply.type('application/problem+json').send(body)
}

/** The contract allows this many errors in one answer. One request could have thousands of errors. */
const MAX_ERRORS = 20

/** Turns an error of Fastify, of a plugin or of our code into an answer. */
export function answerError(
  error: FastifyError & { headers?: Record<string, string> },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  if (error.validation) {
    // Fastify stops at an invalid body, so the headers are checked here as well.
    const headers = request.getValidationFunction('headers')
    headers?.(request.headers)
    const inHeaders = headerErrors(headers?.errors ?? [])
    const inBody = error.validationContext === 'headers' ? [] : fieldErrors(error.validation)
    return sendProblem(reply, 422, { errors: [...inHeaders, ...inBody].slice(0, MAX_ERRORS) })
  }
  // Fastify would close the connection while the body still arrives, and the client might miss the answer.
  reply.removeHeader('connection')
  request.raw.resume()
  const { statusCode = 500 } = error
  const status = isProblemStatus(statusCode) ? statusCode : statusCode < 500 ? 400 : 500
  if (status === 500) request.log.error({ err: error }, 'request failed')
  // The headers of a 416 give the length of the file.
  return sendProblem(reply.headers(error.headers ?? {}), status)
}
