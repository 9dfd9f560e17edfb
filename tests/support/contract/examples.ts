import { operations } from '../../../contract/operations.ts'

/** Every example of an answer in the contract. */
export const examples = operations.flatMap(({ name, path, responses }) =>
  Object.entries(responses).flatMap(([code, { content }]) =>
    Object.entries(content).flatMap(([type, { examples }]) =>
      Object.entries(examples).map(([example, { value }]) => ({ name, path, code, type, example, value })),
    ),
  ),
)
