import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { document } from './document.ts'

/** What the contract says, and what came instead. */
export type Difference = { readonly contract: string; readonly came: string }

export type Answer = {
  /** 0 if there was none: then `body` tells why. */
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

/** A text field of a request. */
export type Field = { readonly pointer: string; readonly minLength: number; readonly maxLength: number }

export type Operation = {
  readonly name: string
  readonly path: string
  readonly example: object
  readonly fields: readonly Field[]
  /** Where a request has an object: '' is the whole. */
  readonly objects: readonly string[]
  readonly isRequest: ValidateFunction
  /** Each named example of an answer, in the contract's order; among them those of a valid and an invalid body. */
  readonly outcomes: readonly string[]
  readonly taken: string
  readonly invalid: string
  /** By status: how an answer differs from what is documented. */
  readonly answers: ReadonlyMap<number, (answer: Answer) => Difference[]>
}

type Schema = { minLength?: number; maxLength?: number; properties?: Record<string, Schema> }
type Header = { required?: boolean; schema: Schema }
type Content = { schema: Schema; examples?: Record<string, { value: unknown }> }
type Response = { headers?: Record<string, Header>; content?: Record<string, Content> }
type Body = { content: { 'application/json': Content } }
type Post = { operationId: string; requestBody: Body; responses: Record<string, Response> }

const MOST_DIFFERENCES = 5

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, verbose: true })

/** The operations of openapi.yaml; each is a POST of JSON. */
export function readContract(): readonly Operation[] {
  const paths = dereferenced(document.paths) as Record<string, { post: Post }> // The lint has passed it.
  return Object.entries(paths).map(([path, { post }]) => {
    const { schema, examples = {} } = post.requestBody.content['application/json']
    const responses = Object.entries(post.responses)
    const contents = responses.flatMap(([, { content = {} }]) => Object.values(content))
    const outcomes = contents.flatMap(({ examples = {} }) => Object.keys(examples))
    return {
      name: post.operationId,
      path,
      example: Object(Object.values(examples)[0]?.value),
      ...partsOf(schema),
      isRequest: ajv.compile(schema),
      outcomes,
      taken: outcomes[0] ?? '',
      invalid: outcomes.find((name) => name.startsWith('invalid')) ?? '',
      answers: new Map(responses.map(([status, response]) => [Number(status), differencesFrom(response)])),
    }
  })
}

/** With what each reference names in its place. */
function dereferenced(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(dereferenced)
  if (typeof part !== 'object' || part === null) return part
  if ('$ref' in part) {
    const names = String(part.$ref).split('/').slice(1)
    return dereferenced(names.reduce<unknown>((parent, name) => Object(parent)[name], document))
  }
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, dereferenced(inner)]))
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

function differencesFrom({ headers = {}, content = {} }: Response): (answer: Answer) => Difference[] {
  const rules = Object.entries(headers).map(([name, { required, schema }]) => {
    const isValid = ajv.compile(schema)
    return ({ headers }: Answer): Difference[] => {
      const value = headers[name.toLowerCase()]
      if (value === undefined) return required ? [{ contract: `the header ${name}`, came: 'none' }] : []
      if (typeof value !== 'string' || isValid(value) || isValid(Number(value))) return []
      return [{ contract: `${name} ${ajv.errorsText(isValid.errors, { dataVar: '' }).trim()}`, came: value }]
    }
  })
  const types = new Map(Object.entries(content).map(([type, { schema }]) => [type, ajv.compile(schema)]))

  function bodyDifferences({ status, headers, body }: Answer): Difference[] {
    const type = String(headers['content-type'] ?? 'no Content-Type')
    const isValid = types.get(type.replace(/;.*/s, '').trim().toLowerCase())
    if (!isValid) return [{ contract: [...types.keys()].join(' or '), came: type }]
    const value = jsonOf(body)
    if (value === undefined || body.includes('\ufffd'))
      return [{ contract: 'JSON in UTF-8', came: body || 'an empty body' }]
    if (!isValid(value)) {
      return (isValid.errors ?? []).slice(0, MOST_DIFFERENCES).map(({ instancePath, message, data }) => ({
        contract: `${instancePath || 'the body'} ${message}`,
        came: inJson(data),
      }))
    }
    const told = inJson(Object(value).status)
    return status < 400 || told === `${status}` ? [] : [{ contract: `/status ${status}`, came: `/status ${told}` }]
  }

  return (answer) => [...rules.flatMap((differences) => differences(answer)), ...bodyDifferences(answer)]
}

/** undefined if it is none. */
export function jsonOf(text: string, reviver?: (name: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, reviver)
  } catch {
    return undefined
  }
}

/** What an answer's value looks like; one of a depth that JSON.stringify can't follow is told as such. */
export function inJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'none'
  } catch {
    return 'a value too deep to show'
  }
}
