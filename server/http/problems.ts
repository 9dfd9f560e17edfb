import type { FastifyReply } from 'fastify'
import type { components } from '../../src/contract.d.ts'

export type Problem = components['schemas']['Problem']
export type FieldError = components['schemas']['InvalidFieldsProblem']['errors'][number]

const PROBLEMS = {
  400: { title: 'Bad Request', detail: 'The body is not valid JSON.' },
  403: {
    title: 'Forbidden',
    detail: 'The X-XSRF-TOKEN header does not match the XSRF-TOKEN cookie. Try again with the fresh cookie.',
  },
  404: { title: 'Not Found', detail: 'Nothing has this path. See openapi.yaml for those that there are.' },
  405: { title: 'Method Not Allowed', detail: 'Use a method that the Allow header names.' },
  408: { title: 'Request Timeout', detail: 'The request took too long to arrive.' },
  412: { title: 'Precondition Failed', detail: 'The file is another one than the request asks for.' },
  413: { title: 'Content Too Large', detail: 'The body is over 65,536 bytes.' },
  415: { title: 'Unsupported Media Type', detail: 'Send the body as application/json.' },
  416: { title: 'Range Not Satisfiable', detail: 'The file does not have this range. Content-Range tells its length.' },
  422: { title: 'Unprocessable Content', detail: 'A field is missing or invalid.' },
  429: {
    title: 'Too Many Requests',
    detail: 'Too many requests from this address. Wait as long as Retry-After says.',
  },
  431: { title: 'Request Header Fields Too Large', detail: 'Send fewer or shorter headers.' },
  500: { title: 'Internal Server Error', detail: 'Something went wrong here. The same request may work later.' },
  503: {
    title: 'Service Unavailable',
    detail: 'Nothing can be stored at the moment. Wait as long as Retry-After says.',
  },
} as const

export type ProblemStatus = keyof typeof PROBLEMS

export const isProblemStatus = (status: number): status is ProblemStatus => Object.hasOwn(PROBLEMS, status)

/** What a 400 says of more than a body. */
export const NO_HTTP = { detail: 'The request is not valid HTTP.' }

const RETRY_AFTER_SECONDS = 2

/** Answers with a problem document (RFC 9457) that the contract describes. `more` must not repeat a value that was sent. */
export function sendProblem(
  reply: FastifyReply,
  status: ProblemStatus,
  more: { detail?: string; errors?: readonly FieldError[] } = {},
): FastifyReply {
  if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
  // Node's phrases for 413 and 422 are older than those of the register, which the titles follow.
  reply.raw.statusMessage = PROBLEMS[status].title
  return (
    reply
      .code(status)
      .header('cache-control', 'no-store')
      .type('application/problem+json')
      // As bytes: Fastify would add a charset to text, which this media type does not have.
      .send(Buffer.from(JSON.stringify({ ...problem(status), ...more })))
  )
}

/** The document of a status, without what one answer says more. */
export function problem(status: ProblemStatus): Problem {
  const { title, detail } = PROBLEMS[status]
  return { type: 'about:blank', title, status, detail }
}
