import { isDeepStrictEqual } from 'node:util'
import { bodyErrors, type Difference, type Operation, parseJson } from '../contract/operations.ts'
import type { MockedCall } from './mock-proxy.ts'

/** What the contract says of a call: its errors, one line each, and its description of the answer. */
export type Validation = {
  readonly call: string
  readonly operation: string | null
  readonly request: { readonly body: string; readonly errors: readonly string[] }
  readonly answer: {
    readonly status: number
    readonly body: string
    readonly errors: readonly string[]
    /** The contract's description of this status, and the example that the body equals. */
    readonly about: string | null
    readonly example: { readonly name: string; readonly summary: string } | null
  } | null
}

export function validate(operations: readonly Operation[], { method, path, sent, answer }: MockedCall): Validation {
  const operation = operations.find((it) => it.method === method && it.path === path)
  const response = operation?.responses.get(answer?.status ?? 0)
  const examples = (response?.contents ?? []).flatMap(({ examples }) => examples)
  const value = parseJson(answer?.body ?? '')
  return {
    call: `${method} ${path}`,
    operation: operation?.name ?? null,
    request: { body: sent, errors: operation ? bodyErrors(operation.isRequest, sent).map(line) : [] },
    answer: answer && {
      status: answer.status,
      body: answer.body,
      errors: response ? response.differences(answer).map(line) : ['this status is not documented'],
      about: response?.description ?? null,
      example: examples.find((example) => isDeepStrictEqual(example.value, value)) ?? null,
    },
  }
}

const line = ({ expected, actual }: Difference) => `${expected}, not ${actual}`
