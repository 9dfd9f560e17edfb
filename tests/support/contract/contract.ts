import { type Operation, readContract } from '../../../contract/operations.ts'

export const contract = readContract()

/** The documented answers of all operations, one for every named example. */
export const documentedAnswers = contract.flatMap(({ name: operation, responses }) =>
  [...responses].flatMap(([status, { content = {} }]) =>
    Object.entries(content).flatMap(([mediaType, { examples = {} }]) =>
      Object.entries(examples).map(([example, { value }]) => ({ operation, status, mediaType, example, value })),
    ),
  ),
)

export function operationOf(name: string): Operation {
  const operation = contract.find((operation) => operation.name === name)
  if (!operation) throw new Error(`openapi.yaml has no operation ${name}.`)
  return operation
}
