import type { ValidateFunction } from 'ajv/dist/2020.js'
import { document as ours } from './document.ts'
import {
  type Example,
  examplesOf,
  type RawContent,
  type RawResponse,
  type RawSchema,
  type Response,
  readResponse,
} from './response.ts'
import { compile } from './schemas.ts'

/** A text field of a request. */
type Field = { readonly pointer: string; readonly minLength: number; readonly maxLength: number }

export type Operation = {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly requestSchema: object
  readonly requestExamples: readonly Example[]
  readonly isRequest: ValidateFunction
  /** Validates all headers of a request, by their names in lower case. */
  readonly areHeaders: ValidateFunction
  readonly fields: readonly Field[]
  /** The JSON Pointers of the objects in a request; '' is the whole body. */
  readonly objects: readonly string[]
  readonly responses: ReadonlyMap<number, Response>
}

type RawParameter = { readonly name: string; readonly in: string; readonly schema: RawSchema }
type RawOperation = {
  operationId: string
  parameters?: RawParameter[]
  requestBody?: { content: Record<string, RawContent> }
  responses: Record<string, RawResponse>
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** The operations of openapi.yaml, or of another document that has passed the lint. */
export function readContract(document: { readonly paths: object } = ours): readonly Operation[] {
  // The cast is safe, because the lint has passed the document.
  const paths = dereferenced(document.paths, document) as Record<string, Record<string, RawOperation>>
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [readOperation(method.toUpperCase(), path, item[method])] : [])),
  )
}

function readOperation(method: string, path: string, operation: RawOperation): Operation {
  const { operationId, parameters = [], requestBody, responses } = operation
  const { schema, examples } = requestBody?.content['application/json'] ?? { schema: {} }
  const headers = parameters.filter((parameter) => parameter.in === 'header')
  const properties = Object.fromEntries(headers.map(({ name, schema }) => [name.toLowerCase(), schema]))
  const read = new Map(Object.entries(responses).map(([status, response]) => [Number(status), readResponse(response)]))
  return {
    name: operationId,
    method,
    path,
    requestSchema: schema,
    requestExamples: examplesOf(examples),
    isRequest: compile(schema),
    areHeaders: compile({ properties }),
    ...partsOf(schema),
    responses: read,
  }
}

/** A part of the document, with the target of each reference in its place. */
function dereferenced(part: unknown, document: object): unknown {
  if (Array.isArray(part)) return part.map((inner) => dereferenced(inner, document))
  if (typeof part !== 'object' || part === null) return part
  if ('$ref' in part) {
    const names = String(part.$ref).split('/').slice(1)
    return dereferenced(
      names.reduce<unknown>((parent, name) => Object(parent)[name], document),
      document,
    )
  }
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, dereferenced(inner, document)]))
}

function partsOf(
  { properties, minLength = 0, maxLength = 100 }: RawSchema,
  pointer = '',
): Pick<Operation, 'fields' | 'objects'> {
  if (!properties) return { fields: [{ pointer, minLength, maxLength }], objects: [] }
  const parts = Object.entries(properties).map(([name, schema]) => partsOf(schema, `${pointer}/${name}`))
  return {
    fields: parts.flatMap(({ fields }) => fields),
    objects: [pointer, ...parts.flatMap(({ objects }) => objects)],
  }
}
