import { document } from './document.ts'

export type Schema = { readonly maxLength?: number; readonly properties?: Readonly<Record<string, Schema>> }
type Content = {
  readonly schema: Schema
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
/** What an operation may answer with one status. */
export type Response = {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: Schema }>>
  readonly content?: Readonly<Record<string, Content>>
}
export type Operation = {
  readonly name: string
  readonly path: string
  readonly requestSchema: Schema
  /** The schemas of the body and of all its fields by their JSON Pointers. An object stands before its fields. */
  readonly parts: ReadonlyMap<string, Schema>
  /** The first example of a request. */
  readonly example: object
  /** The schema of all headers of a request, by their names in lower case. */
  readonly headerSchema: Schema
  readonly responses: ReadonlyMap<number, Response>
}
type RawOperation = {
  operationId?: string
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, Response>
}

const targets: Record<string, unknown> = {}
function targetOf(reference: string): unknown {
  const names = reference.split('/').slice(1)
  return names.reduce<unknown>((part, name) => Object(part)[name], document)
}

/** A part of the document, with the target of each reference in its place. Equal references have the same target. */
const dereferenced = (part: unknown) =>
  JSON.parse(JSON.stringify(part), (_, value) => {
    const { $ref } = Object(value)
    if ($ref) targets[$ref] ??= dereferenced(targetOf($ref))
    return $ref ? targets[$ref] : value
  })

const partsOf = (schema: Schema, pointer = ''): [pointer: string, schema: Schema][] => [
  [pointer, schema],
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => partsOf(inner, `${pointer}/${name}`)),
]

function readOperation(path: string, operation: RawOperation): Operation {
  const { operationId: name = '', parameters = [], requestBody, responses } = operation
  const { schema, examples = {} } = requestBody?.content['application/json'] ?? { schema: {} }
  const headers = parameters.filter((parameter) => parameter.in === 'header')
  return {
    name,
    path,
    requestSchema: schema,
    parts: new Map(partsOf(schema)),
    example: Object(Object.values(examples)[0]?.value),
    headerSchema: { properties: Object.fromEntries(headers.map(({ name, schema }) => [name.toLowerCase(), schema])) },
    responses: new Map(Object.entries(responses).map(([status, response]) => [Number(status), response])),
  }
}

const paths: Record<string, Record<string, RawOperation>> = dereferenced(document.paths)

/** The operations of openapi.yaml. */
export const operations: readonly Operation[] = Object.entries(paths).flatMap(([path, methods]) =>
  // A path has other keys than methods, such as `summary`.
  Object.values(methods).flatMap((each) => (each.operationId ? [readOperation(path, each)] : [])),
)
