import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { Operation } from '../operations.ts'
import { bodyErrors, type Difference, parseJson } from '../schemas.ts'

export type MockedAnswer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

/** A call of the page, and its answer, if there was one. */
export type MockedCall = {
  readonly method: string
  readonly path: string
  readonly sent: string
  readonly answer: MockedAnswer | null
}

/** What was sent and answered, and what the contract says of it, as the panel shows it. */
export function describeCall(operations: readonly Operation[], { method, path, sent, answer }: MockedCall): string {
  const call = `${method} ${path}`
  const operation = operations.find((one) => `${one.method} ${one.path}` === call)
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

const verdict = (what: string, differences: readonly Difference[]) =>
  differences.length === 0
    ? `✓ The ${what} keeps the contract.`
    : `✗ The ${what} breaks the contract: ${differences.map(({ expected, actual }) => `${expected}, not ${actual}`).join('; ')}.`
