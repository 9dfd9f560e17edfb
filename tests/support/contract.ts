import { Ajv, type ValidateFunction } from 'ajv'
import { type Operation, readOperations } from '../../dev/mock.ts'

/** What an operation may answer: one for every named example. */
export type DocumentedAnswer = {
  readonly operation: string
  readonly status: number
  readonly mediaType: string
  readonly example: string
  readonly value: unknown
  readonly isValid: ValidateFunction
}

type Content = { readonly schema?: object }

export const operations = await readOperations()

// Prism marks each schema with an x- keyword of its own; formats stand in the contract beside a pattern or as a hint.
const LENIENT = { strict: false, validateFormats: false }

export const nameOf = (operation: Operation): string => operation.iid ?? operation.path

export const documentedAnswers: readonly DocumentedAnswer[] = operations.flatMap((operation) =>
  operation.responses.flatMap(({ code, contents = [] }) =>
    contents.flatMap((content) =>
      (content.examples ?? []).map((example) => ({
        operation: nameOf(operation),
        status: Number(code),
        mediaType: content.mediaType,
        example: example.key,
        value: 'value' in example ? example.value : undefined,
        isValid: validatorOf(content),
      })),
    ),
  ),
)

function operationOf(name: string): Operation {
  return found(
    operations.find((operation) => nameOf(operation) === name),
    name,
  )
}

/** The only content that requests to the operation may have. */
export const requestOf = (name: string) => found(operationOf(name).request?.body?.contents?.[0], name)

/** An independent validator of request bodies. Backends differ in whether their patterns know Unicode mode. */
export const requestValidator = (name: string, unicodeRegExp = true) => validatorOf(requestOf(name), unicodeRegExp)

/** An independent validator of a request's headers, by their names in lower case. */
export function headerValidator(name: string): ValidateFunction {
  const parameters = operationOf(name).request?.headers ?? []
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name.toLowerCase(), schema ?? {}]))
  return validatorOf({ schema: { properties } })
}

/** An independent validator of what is answered with this status. */
export function answerValidator(name: string, status: number): ValidateFunction {
  const response = operationOf(name).responses.find(({ code }) => Number(code) === status)
  return validatorOf(found(response?.contents?.[0], `${name} ${status}`))
}

function validatorOf({ schema }: Content, unicodeRegExp = true): ValidateFunction {
  return new Ajv({ ...LENIENT, unicodeRegExp }).compile(found(schema, 'schema'))
}

function found<Part>(part: Part | undefined, name: string): Part {
  if (part === undefined) throw new Error(`openapi.yaml has no ${name}.`)
  return part
}
