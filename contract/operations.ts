import { document as ours } from './document.ts'

export type Schema = {
  readonly minLength?: number
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, Schema>>
}
type Content = {
  readonly schema: Schema
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
/** What an operation may answer with one status. */
export type Response = {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: Schema }>>
  readonly content?: Readonly<Record<string, Content>>
}

/** A text field of a request. */
type Field = { readonly pointer: string; readonly minLength: number; readonly maxLength: number }

export type Operation = {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly requestSchema: Schema
  /** The first example of a request. */
  readonly example: object
  /** The schema of all headers of a request, by their names in lower case. */
  readonly headerSchema: Schema
  readonly fields: readonly Field[]
  /** The JSON Pointers of the objects in a request; '' is the whole body. */
  readonly objects: readonly string[]
  readonly responses: ReadonlyMap<number, Response>
}

type RawOperation = {
  operationId: string
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, Response>
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
  const { schema, examples = {} } = requestBody?.content['application/json'] ?? { schema: {} }
  const headers = parameters.filter((parameter) => parameter.in === 'header')
  return {
    name: operationId,
    method,
    path,
    requestSchema: schema,
    example: Object(Object.values(examples)[0]?.value),
    headerSchema: { properties: Object.fromEntries(headers.map(({ name, schema }) => [name.toLowerCase(), schema])) },
    ...partsOf(schema),
    responses: new Map(Object.entries(responses).map(([status, response]) => [Number(status), response])),
  }
}

/** A part of the document, with the target of each reference in its place. */
function dereferenced(part: unknown, document: object): unknown {
  if (Array.isArray(part)) return part.map((inner) => dereferenced(inner, document))
  if (typeof part !== 'object' || part === null) return part
  if ('$ref' in part) {
    const names = String(part.$ref).split('/').slice(1)
    const target = names.reduce<unknown>((parent, name) => Object(parent)[name], document)
    return dereferenced(target, document)
  }
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, dereferenced(inner, document)]))
}

function partsOf(
  { properties, minLength = 0, maxLength = 100 }: Schema,
  pointer = '',
): Pick<Operation, 'fields' | 'objects'> {
  if (!properties) return { fields: [{ pointer, minLength, maxLength }], objects: [] }
  const parts = Object.entries(properties).map(([name, schema]) => partsOf(schema, `${pointer}/${name}`))
  return {
    fields: parts.flatMap(({ fields }) => fields),
    objects: [pointer, ...parts.flatMap(({ objects }) => objects)],
  }
}
