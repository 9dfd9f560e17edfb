import { operations } from '../../../contract/operations.ts'

/** The documented answers of all operations, one for every named example. */
export const documentedAnswers = operations.flatMap(({ name: operation, responses }) =>
  [...responses].flatMap(([status, { content = {} }]) =>
    Object.entries(content).flatMap(([mediaType, { examples = {} }]) =>
      Object.entries(examples).map(([example, { value }]) => ({ operation, status, mediaType, example, value })),
    ),
  ),
)
