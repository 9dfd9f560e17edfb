import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'yaml'

const FILE = join(import.meta.dirname, '..', 'openapi.yaml')

/** What the contract says, and what came instead. */
export type Difference = { readonly contract: string; readonly came: string }

export type Answer = {
  /** 0 if there was none: then `body` tells why. */
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

type Schema = {
  readonly $ref?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, Schema>>
}

/** A text field of a request. */
export type Field = { readonly pointer: string; readonly type: string } & Pick<Schema, 'minLength' | 'maxLength'>

type Content = { readonly schema: Schema; readonly examples?: Record<string, { readonly value: unknown }> }
type Response = { readonly headers?: Record<string, object>; readonly content?: Record<string, Content> }

export type Operation = {
  readonly name: string
  readonly path: string
  readonly example: Readonly<Record<string, unknown>>
  readonly fields: readonly Field[]
  readonly isRequest: ValidateFunction
  /** Each named example of an answer, in the contract's order. */
  readonly outcomes: readonly string[]
  /** Of an answer whose status is documented; nothing is said about others. */
  differences(answer: Answer): Difference[]
  documents(status: number): boolean
}

/** The operations of openapi.yaml; each is a POST of JSON. */
export function readContract(): readonly Operation[] {
  const document = parse(readFileSync(FILE, 'utf8'))
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, verbose: true })
  ajv.addSchema(document, 'openapi.yaml')
  const validatorOf = (place: string) => ajv.compile({ $ref: `openapi.yaml${place}` })

  /** What stands at a place, and the place where it stands itself if that is a reference. */
  function at<Part>(place: string): { place: string; part: Part } {
    const part = place
      .slice(2)
      .split('/')
      .reduce((parent, name) => parent[name.replaceAll('~1', '/').replaceAll('~0', '~')], document)
    return part.$ref ? at(part.$ref) : { place, part }
  }

  function fieldsOf(place: string, pointer: string): Field[] {
    const { part, place: end } = at<Schema>(place)
    if (!part.properties) return [{ ...part, pointer, type: end.split('/').at(-1) ?? '' }]
    return Object.keys(part.properties).flatMap((name) => fieldsOf(`${end}/properties/${name}`, `${pointer}/${name}`))
  }

  return Object.keys(document.paths).map((path) => {
    const post = `#/paths/${path.replaceAll('/', '~1')}/post`
    const { operationId, requestBody, responses } = document.paths[path].post
    const body: Content = requestBody.content['application/json']
    const schema = `${post}/requestBody/content/application~1json/schema`
    const answers = new Map(
      Object.keys(responses).map((status) => [Number(status), documentedAnswer(`${post}/responses/${status}`)]),
    )
    return {
      name: operationId,
      path,
      example: Object.values(body.examples ?? {})[0]?.value as Operation['example'], // Redocly holds it to the schema.
      fields: fieldsOf(schema, ''),
      isRequest: validatorOf(schema),
      outcomes: [...answers.values()].flatMap(({ outcomes }) => outcomes),
      differences: (answer) => answers.get(answer.status)?.differences(answer) ?? [],
      documents: (status) => answers.has(status),
    }
  })

  function documentedAnswer(reference: string) {
    const { place, part } = at<Response>(reference)
    const contents = Object.entries(part.content ?? {}).map(([type, { examples }]) => ({
      type,
      examples: Object.keys(examples ?? {}),
      isValid: validatorOf(`${place}/content/${type.replaceAll('/', '~1')}/schema`),
    }))
    const headers = Object.keys(part.headers ?? {}).map((name) => {
      const header = at<{ required?: boolean }>(`${place}/headers/${name}`)
      return { name, required: header.part.required === true, isValid: validatorOf(`${header.place}/schema`) }
    })

    function headerDifferences(answer: Answer): Difference[] {
      return headers.flatMap(({ name, required, isValid }) => {
        const text = answer.headers[name.toLowerCase()]
        if (text === undefined) return required ? [{ contract: `the header ${name}`, came: 'none' }] : []
        if (isValid(text) || isValid(Number(text)) || typeof text !== 'string') return []
        return [{ contract: `${name} ${ajv.errorsText(isValid.errors, { dataVar: '' }).trim()}`, came: text }]
      })
    }

    function bodyDifferences({ status, headers, body }: Answer): Difference[] {
      const type = String(headers['content-type'] ?? 'no Content-Type')
      const content = contents.find((content) => content.type === type.split(';', 1)[0]?.trim().toLowerCase())
      if (!content) return [{ contract: contents.map(({ type }) => type).join(' or '), came: type }]
      const value = jsonOf(body)
      if (value === undefined) return [{ contract: 'JSON', came: body || 'an empty body' }]
      if (!content.isValid(value)) {
        return (content.isValid.errors ?? []).map(({ instancePath, message, data }) => ({
          contract: `${instancePath || 'the body'} ${message}`,
          came: JSON.stringify(data),
        }))
      }
      const told = (value as { status?: unknown }).status // The schema has passed it: an object.
      return status < 400 || told === status ? [] : [{ contract: `/status ${status}`, came: `/status ${told}` }]
    }

    return {
      outcomes: contents.flatMap(({ examples }) => examples),
      differences: (answer: Answer) => [...headerDifferences(answer), ...bodyDifferences(answer)],
    }
  }
}

/** undefined if it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
