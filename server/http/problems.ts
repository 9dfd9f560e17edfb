import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { components } from '../../src/contract.d.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../src/domain/cookies.ts'
import { MAX_BODY_BYTES } from '../../src/domain/enquiry.ts'
import { type FieldError, fieldErrors } from './field-errors.ts'

type Problem = components['schemas']['Problem']

/** Looks at a call before its body is read. Returns the reply if it has refused the call. */
export type Guard = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

const PROBLEMS = {
  400: { title: 'Bad Request', detail: 'The body is not valid JSON.' },
  403: {
    title: 'Forbidden',
    detail: `The ${XSRF_HEADER} header does not match the ${XSRF_COOKIE} cookie. Try again with the fresh cookie.`,
  },
  404: { title: 'Not Found', detail: 'No such path. openapi.yaml lists them.' },
  405: { title: 'Method Not Allowed', detail: 'Use a method listed in the Allow header.' },
  412: { title: 'Precondition Failed', detail: 'The file does not match the preconditions of the request.' },
  413: { title: 'Content Too Large', detail: `The body is larger than ${MAX_BODY_BYTES.toLocaleString('en')} bytes.` },
  415: { title: 'Unsupported Media Type', detail: 'Send the body as application/json.' },
  416: { title: 'Range Not Satisfiable', detail: 'The file does not have this range. Content-Range gives its length.' },
  422: { title: 'Unprocessable Content', detail: 'A field is missing or invalid.' },
  429: {
    title: 'Too Many Requests',
    detail: 'Too many requests from this address. Wait for the seconds in Retry-After.',
  },
  500: { title: 'Internal Server Error', detail: 'The server failed. The same request may succeed later.' },
  503: {
    title: 'Service Unavailable',
    detail: 'Nothing can be stored at the moment. Wait for the seconds in Retry-After.',
  },
} as const

type ProblemStatus = keyof typeof PROBLEMS

const isProblemStatus = (status: number): status is ProblemStatus => Object.hasOwn(PROBLEMS, status)

/** After how many seconds a client may repeat a call that was answered 503. */
const RETRY_AFTER_SECONDS = 2

/** Answers with a problem document (RFC 9457) of the contract. `details` must not repeat a value that was sent. */
export function sendProblem(
  reply: FastifyReply,
  status: ProblemStatus,
  details: { detail?: string; errors?: readonly FieldError[] } = {},
): FastifyReply {
  if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
  const { title, detail } = PROBLEMS[status]
  const problem: Problem = { type: 'about:blank', title, status, detail, ...details }
  // The titles follow the IANA registry; Node's phrases for 413 and 422 are older.
  reply.raw.statusMessage = title
  // The body is sent as bytes, because Fastify would add a charset to text, which this media type does not have.
  const body = Buffer.from(JSON.stringify(problem))
  return reply.code(status).header('cache-control', 'no-store').type('application/problem+json').send(body)
}

/** Answers an error of Fastify, of its parsers and plugins, or of our code. */
export function answerError(
  error: FastifyError & { headers?: Record<string, string> },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  if (error.validation) {
    // Fastify reports only the first invalid part of a request: the body comes before the headers.
    const headers = request.getValidationFunction('headers')
    headers?.(request.headers)
    const inHeaders = error.validationContext === 'headers' ? [] : fieldErrors(headers?.errors ?? [], 'headers')
    return sendProblem(reply, 422, {
      errors: [...inHeaders, ...fieldErrors(error.validation, error.validationContext)],
    })
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
