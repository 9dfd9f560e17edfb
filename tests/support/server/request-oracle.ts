import { documentedAnswers, operationOf } from '../contract/contract.ts'
import type { HostileRequest } from './hostile-requests.ts'

export type Answer = { readonly status: number; readonly contentType: string; readonly body: string }

type Enquiry = { name: { first: string; last: string }; email: string; msg: string }

/** What the contract accepts of a request, or null; decided without a line of the server's. */
export function acceptedBody({ operation, headers, body, isCalledJson }: HostileRequest): unknown {
  const { isRequest, areHeaders } = operationOf(operation)
  if (!isCalledJson || body.length > 65_536 || !areHeaders(headers)) return null
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
    return isRequest(value) ? value : null
  } catch {
    return null
  }
}

/**
 * Which of these requests, sent at once to an empty store, are to be answered 200: those that the contract accepts.
 * Only which of two enquiries with one key came first is taken from the answers.
 */
export function toBeAccepted(requests: readonly HostileRequest[], answers: readonly Answer[]): boolean[] {
  const firstOf = new Map<string, string>()
  const judged = requests.map((request, i) => {
    const body = acceptedBody(request)
    const key = request.operation === 'contactUs' && request.headers['idempotency-key']?.toLowerCase()
    if (body === null || !key) return { accepted: body !== null, key: '', enquiry: '' }
    const { name, email, msg } = body as Enquiry
    const enquiry = JSON.stringify([name.first, name.last, email, msg])
    if (answers[i]?.status === 200 && !firstOf.has(key)) firstOf.set(key, enquiry)
    return { accepted: true, key, enquiry }
  })
  return judged.map(({ accepted, key, enquiry }) => accepted && (firstOf.get(key) ?? enquiry) === enquiry)
}

const documented = new Map(documentedAnswers.map((answer) => [`${answer.operation} ${answer.status}`, answer]))

/** Whether status, media type and body are those that the contract has for the operation. */
export function isDocumented(operation: string, { status, contentType, body }: Answer): boolean {
  const promise = documented.get(`${operation} ${status}`)
  if (promise === undefined || contentType.split(';', 1)[0] !== promise.mediaType) return false
  const value: { status?: unknown } = JSON.parse(body)
  return (status === 200 || value.status === status) && promise.isValid(value)
}
