import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Operation, Response, Schema } from './operations.ts'

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

// The contract has a pattern for each format that matters.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })

/** Whether a value keeps a schema of the contract. */
export const isValid = (schema: Schema, value: unknown): boolean => ajv.validate(schema, value) === true

/** How an answer breaks what the contract says about its status. An answer to HEAD has no body. */
export function answerFaults(response: Response, { status, headers, body }: Answer, method = 'POST'): string[] {
  const headerFaults = Object.entries(response.headers ?? {}).flatMap(([name, { required, schema }]) => {
    const value = headers[name.toLowerCase()]
    if (value === undefined) return required ? [`no header ${name}`] : []
    // A header is a text, whatever the type of its schema.
    const isRight = typeof value !== 'string' || isValid(schema, value) || isValid(schema, Number(value))
    return isRight ? [] : [`the header ${name}: ${value}`]
  })
  const [[mediaType, content] = []] = Object.entries(response.content ?? {})
  if (!mediaType || !content || method === 'HEAD') return headerFaults
  const [essence = '', ...parameters] = `${headers['content-type'] ?? 'none'}`.toLowerCase().split(/ *; */)
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  if (essence !== mediaType) return [...headerFaults, `Content-Type ${essence} instead of ${mediaType}`]
  if (charset && !/^charset="?utf-?8"?$/.test(charset)) return [...headerFaults, `Content-Type with ${charset}`]
  const value = parseJson(body)
  if (value === undefined) return [...headerFaults, 'a body that is not JSON in UTF-8']
  if (!ajv.validate(content.schema, value)) return [...headerFaults, ajv.errorsText(ajv.errors, { dataVar: 'body' })]
  const bodyStatus = status < 400 ? status : Object(value).status
  return bodyStatus === status ? headerFaults : [...headerFaults, `a body with the status ${bodyStatus}`]
}

/** The places that the `errors` of a 422 have to name: fields as JSON Pointers, headers as `header name`. */
export function requestFaults({ requestSchema, headerSchema }: Operation, headers: object, body: unknown): string[] {
  const ofBody = ajv.validate(requestSchema, body) ? [] : (ajv.errors ?? [])
  const ofHeaders = ajv.validate(headerSchema, headers) ? [] : (ajv.errors ?? [])
  const places = ofBody.map(({ instancePath, params: { missingProperty, additionalProperty } }) => {
    const name = missingProperty ?? additionalProperty
    return name === undefined ? instancePath : `${instancePath}/${name}`
  })
  return [...new Set([...places, ...ofHeaders.map(({ instancePath }) => `header ${instancePath.slice(1)}`)])]
}

/** Parses a text as JSON; undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
