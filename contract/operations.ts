import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { document as ours } from './document.ts'

/** What the contract says, and what was found instead. */
export type Difference = {
  readonly expected: string
  readonly actual: string
  /** The contract's sentence for this difference, if it has one for it alone. */
  readonly rule?: string
  /** The header of the answer that the difference is about. */
  readonly header?: string
}

export type Answer = {
  /** 0 if there was no answer: then `body` tells why. */
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

/** A text field of a request. */
export type Field = { readonly pointer: string; readonly minLength: number; readonly maxLength: number }

type Example = { readonly name: string; readonly summary: string; readonly value: unknown }

/** What an operation may answer with one status. */
type Response = {
  readonly description: string
  readonly contents: readonly {
    readonly mediaType: string
    readonly isValid: ValidateFunction
    readonly examples: readonly Example[]
  }[]
  /** How an answer differs from this response. To HEAD, which gets no body, it may differ in its headers alone. */
  differences(answer: Answer, method?: string): Difference[]
}

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
  /** The status of each example of an answer, by its name, in the contract's order. */
  readonly outcomes: ReadonlyMap<string, number>
  /** The names of the examples that answer a valid and an invalid body. */
  readonly successOutcome: string
  readonly invalidOutcome: string
  readonly responses: ReadonlyMap<number, Response>
}

type RawSchema = { minLength?: number; maxLength?: number; properties?: Record<string, RawSchema> }
type RawHeader = { name: string; in: string; description?: string; required?: boolean; schema: RawSchema }
type RawContent = { schema: RawSchema; examples?: Record<string, { summary?: string; value: unknown }> }
type RawResponse = {
  description: string
  headers?: Record<string, Omit<RawHeader, 'name' | 'in'>>
  content?: Record<string, RawContent>
}
type RawOperation = {
  operationId: string
  parameters?: RawHeader[]
  requestBody?: { content: Record<string, RawContent> }
  responses: Record<string, RawResponse>
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const MAX_DIFFERENCES = 5

/** Whether a text is a URI reference by RFC 3986, section 4.1. */
const isUriReference = (text: string) =>
  /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\dA-Fa-f]{2})*$/.test(text) && URL.canParse(text, 'https://example.com')

/** What is `true` is not checked as a format: the contract has a pattern for it. */
const FORMATS = { uuid: true, 'uri-reference': isUriReference } as const

const ajv = new Ajv2020({ strict: false, formats: FORMATS, allErrors: true, verbose: true })

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
  const outcomes = [...read].flatMap(([status, { contents }]) =>
    contents.flatMap(({ examples }) => examples.map(({ name }) => [name, status] as const)),
  )
  const names = outcomes.map(([name]) => name)
  return {
    name: operationId,
    method,
    path,
    requestSchema: schema,
    requestExamples: examplesOf(examples),
    isRequest: ajv.compile(schema),
    areHeaders: ajv.compile({ properties }),
    ...partsOf(schema),
    outcomes: new Map(outcomes),
    successOutcome: names[0] ?? '',
    invalidOutcome: names.find((name) => name.startsWith('invalid')) ?? '',
    responses: read,
  }
}

const examplesOf = (examples: RawContent['examples'] = {}): Example[] =>
  Object.entries(examples).map(([name, { summary = '', value }]) => ({ name, summary, value }))

/** A part of the document, with what each reference names in its place. */
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

function readResponse({ description, headers = {}, content = {} }: RawResponse): Response {
  const headerRules = Object.entries(headers).map(([name, { required, schema, description: rule = '' }]) => {
    const isValid = ajv.compile(schema)
    return ({ headers }: Answer): Difference[] => {
      const value = headers[name.toLowerCase()]
      if (value === undefined) return required ? [{ expected: `the header ${name}`, actual: 'none', rule }] : []
      if (typeof value !== 'string' || isValid(value) || isValid(Number(value))) return []
      return [{ expected: `a valid ${name}`, actual: value, rule, header: name }]
    }
  })
  const contents = Object.entries(content).map(([mediaType, { schema, examples }]) => ({
    mediaType,
    isValid: ajv.compile(schema),
    examples: examplesOf(examples),
  }))

  function bodyDifferences({ status, headers, body }: Answer): Difference[] {
    if (contents.length === 0) return []
    const type = String(headers['content-type'] ?? 'no Content-Type')
    const essence = type.replace(/;.*/s, '').trim().toLowerCase()
    const content = contents.find(({ mediaType }) => mediaType === essence)
    if (!content) return [{ expected: contents.map(({ mediaType }) => mediaType).join(' or '), actual: type }]
    const charset = /; *charset="?([^";]*)/i.exec(type)?.[1] ?? 'utf-8'
    if (!/^utf-?8$/i.test(charset)) return [{ expected: 'no charset but utf-8', actual: type }]
    if (body.includes('\ufffd')) return [{ expected: 'JSON in UTF-8', actual: body }]
    const errors = bodyErrors(content.isValid, body)
    if (errors.length > 0 || status < 400) return errors
    const named = toJson(Object(parseJson(body)).status)
    return named === `${status}` ? [] : [{ expected: `/status ${status}`, actual: `/status ${named}` }]
  }

  return {
    description,
    contents,
    differences: (answer, method) => [
      ...headerRules.flatMap((rule) => rule(answer)),
      ...(method === 'HEAD' ? [] : bodyDifferences(answer)),
    ],
  }
}

/** What is wrong with the text of a body: that it is not JSON, or where it breaks the schema. */
export function bodyErrors(isValid: ValidateFunction, text: string): Difference[] {
  const value = parseJson(text)
  if (text.startsWith('\ufeff'))
    return [{ expected: 'JSON in UTF-8', actual: `a byte order mark before ${text.slice(1)}` }]
  if (value === undefined) return [{ expected: 'JSON in UTF-8', actual: text || 'an empty body' }]
  if (isValid(value)) return []
  const errors = (isValid.errors ?? []).filter(({ keyword }) => keyword !== 'oneOf')
  // Of the alternatives, `success` says which is meant.
  const alternativeOf = ({ schemaPath }: ErrorObject) => /^#\/oneOf\/\d+/.exec(schemaPath)?.[0] ?? ''
  const excluded = errors.filter(({ keyword }) => keyword === 'const').map(alternativeOf)
  const left = errors.filter((error) => !excluded.includes(alternativeOf(error)))
  const meant = left.length > 0 ? left : errors
  const differences = meant.map(differenceOf)
  const unique = new Map(differences.map((one) => [`${one.expected}${one.actual}`, one]))
  return [...unique.values()].slice(0, MAX_DIFFERENCES)
}

function differenceOf({ instancePath, keyword, params, message, data }: ErrorObject): Difference {
  if (keyword === 'required') return { expected: `${instancePath}/${params.missingProperty}`, actual: 'none' }
  if (keyword === 'const') return { expected: `${instancePath} ${params.allowedValue}`, actual: toJson(data) }
  return { expected: `${instancePath || 'the body'} ${message}`, actual: toJson(data) }
}

/** Parses a text as JSON; undefined if it is none. */
export function parseJson(text: string, reviver?: (name: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, reviver)
  } catch {
    return undefined
  }
}

/** A value of an answer as text, also one that is nested too deep for JSON.stringify. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'none'
  } catch {
    return 'a value nested too deep to show'
  }
}
