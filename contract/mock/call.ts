import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { Operation } from '../operations.ts'
import { bodyErrors, type Difference, parseJson } from '../schemas.ts'

export type MockedAnswer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

/** A call of the page, with its answer; null if there was none. */
export type MockedCall = {
  readonly method: string
  readonly path: string
  readonly sent: string
  readonly answer: MockedAnswer | null
}

/** The panel's text about a call: request, answer, and whether they keep the contract. */
export function describeCall(operations: readonly Operation[], { method, path, sent, answer }: MockedCall): string {
  const call = `${method} ${path}`
  const operation = operations.find((each) => `${each.method} ${each.path}` === call)
  if (!operation) return `${call} is not an operation of the contract.`
  const request = [
    `${call} (operation: ${operation.name})`,
    sent,
    verdict('request', bodyErrors(operation.isRequest, sent)),
  ]
  if (!answer) return [...request, '', 'No answer: the connection was dropped.'].join('\n')
  const { status, body } = answer
  const response = operation.responses.get(status)
  const examples = (response?.contents ?? []).flatMap(({ examples }) => examples)
  const example = examples.find(({ value }) => isDeepStrictEqual(value, parseJson(body)))
  const undocumented = [{ expected: 'a documented status', actual: `${status}` }]
  return [
    ...request,
    '',
    `${status}${example ? `, example ${example.name}` : ''}: ${response?.description ?? ''}`,
    ...(example?.summary ? [`${example.summary}.`] : []),
    body,
    verdict('answer', response?.differences(answer) ?? undocumented),
  ].join('\n')
}

const verdict = (part: 'request' | 'answer', differences: readonly Difference[]) =>
  differences.length === 0
    ? `✓ The ${part} keeps the contract.`
    : `✗ The ${part} breaks the contract: ${differences.map(({ expected, actual }) => `${expected}, not ${actual}`).join('; ')}.`
