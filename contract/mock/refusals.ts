import type { Operation } from '../operations.ts'
import { parseJson } from '../schemas.ts'
import type { MockedAnswer } from './call.ts'

type Refused = { readonly method: string; readonly path: string; readonly type: string; readonly body: string }

/**
 * The contract's answer to an unknown path, another method or a body that is not JSON, because Prism answers these
 * calls in another form; null for any other call.
 */
export function refusalOf(
  operations: readonly Operation[],
  { method, path, type, body }: Refused,
): MockedAnswer | null {
  const ofPath = operations.filter((operation) => operation.path === path)
  if (ofPath.length === 0) return exampleOf(operations[0], 404)
  if (!ofPath.some((operation) => operation.method === method))
    return exampleOf(ofPath[0], 405, { allow: ofPath.map((operation) => operation.method).join(', ') })
  const isBroken = /^application\/json\b/i.test(type) && parseJson(body) === undefined
  return isBroken ? exampleOf(ofPath[0], 400) : null
}

function exampleOf(
  operation: Operation | undefined,
  status: number,
  headers: MockedAnswer['headers'] = {},
): MockedAnswer | null {
  const content = operation?.responses.get(status)?.contents[0]
  if (!content) return null
  const body = JSON.stringify(content.examples[0]?.value)
  return { status, headers: { 'content-type': content.mediaType, 'cache-control': 'no-store', ...headers }, body }
}
