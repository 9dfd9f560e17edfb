import { openapiDocument } from './openapi-document.ts'

export type JsonSchema = { readonly maxLength?: number; readonly properties?: Readonly<Record<string, JsonSchema>> }
type Content = { readonly schema: JsonSchema; readonly examples: Readonly<Record<string, { readonly value: object }>> }
/** The headers and bodies that an answer with one status may have. */
export type ResponseSpec = {
  readonly headers: Readonly<
    Record<string, { readonly required?: boolean; readonly schema: JsonSchema; readonly example: unknown }>
  >
  readonly content: Readonly<Record<string, Content>>
}
type Post = {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly schema: JsonSchema }[]
  readonly requestBody: { readonly content: { readonly 'application/json': Content } }
  readonly responses: Readonly<Record<number, ResponseSpec>>
}
export type Operation = ReturnType<typeof readOperation>

/** Returns a part of a document with each `$ref` replaced by its target. */
const resolved = (part: unknown, document: object) =>
  JSON.parse(JSON.stringify(part), (_, value) =>
    value?.$ref ? resolved(targetOf(value.$ref, document), document) : value,
  )
const targetOf = (reference: string, document: object) =>
  reference.split('/').reduce<unknown>((part, name) => (name === '#' ? document : Object(part)[name]), document)

const partsOf = (schema: JsonSchema, pointer = ''): [pointer: string, schema: JsonSchema][] => [
  [pointer, schema],
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => partsOf(inner, `${pointer}/${name}`)),
]

function readOperation(path: string, { operationId: name, parameters, requestBody, responses }: Post) {
  const { schema: requestSchema, examples } = requestBody.content['application/json']
  const example = Object(Object.values(examples)[0]?.value)
  /** The schemas of the body and of all its fields, by JSON Pointer. */
  const schemas = new Map(partsOf(requestSchema))
  /** The schemas of the headers of a request, by their names in lower case. */
  const properties = Object.fromEntries(parameters.map((each) => [each.name.toLowerCase(), each.schema]))
  return { name, path, requestSchema, schemas, example, headerSchema: { properties }, responses }
}

/** Returns the POST operations of a contract. Only these send a body. */
export const operationsOf = (document: { readonly paths: object }): readonly Operation[] =>
  Object.entries<{ post?: Post }>(resolved(document.paths, document)).flatMap(([path, { post }]) =>
    post ? [readOperation(path, post)] : [],
  )

export const operations = operationsOf(openapiDocument)
