import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Operation, Response, Schema } from './operations.ts'

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

/** One way in which an answer breaks the contract. All answers that break it so have the same code and text. */
export type Fault<Code = 'answer-headers' | 'answer-type' | 'answer-body'> = {
  readonly code: Code
  readonly text: string
  /** What this answer has in place of what it should have. */
  readonly value?: string
}

// The contract has a pattern for each format that matters.
const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, allErrors: true })

/** Whether a value keeps a schema of the contract. */
export const isValid = (schema: Schema, value: unknown): boolean => ajv.validate(schema, value) === true

/** How an answer breaks what the contract says about its status. An answer to HEAD has no body. */
export function answerFaults({ headers = {}, content = {} }: Response, answer: Answer, method = 'POST'): Fault[] {
  const headerFaults = Object.entries(headers).flatMap(([name, { required, schema }]): Fault[] => {
    const value = answer.headers[name.toLowerCase()]
    // A header is a text, whatever the type of its schema.
    const isRight = typeof value === 'string' ? isValid(schema, value) || isValid(schema, Number(value)) : !required
    return isRight ? [] : [{ code: 'answer-headers', text: `the header ${name}`, value: `${value ?? 'is missing'}` }]
  })
  const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(content)
  return type === '' || method === 'HEAD' ? headerFaults : [...headerFaults, ...contentFaults(type, schema, answer)]
}

function contentFaults(type: string, schema: Schema, { status, headers, body }: Answer): Fault[] {
  const value = `${headers['content-type'] ?? 'is missing'}`
  const [essence, ...parameters] = value.toLowerCase().split(/ *; */)
  const charset = parameters.find((parameter) => parameter.startsWith('charset=')) ?? 'charset=utf-8'
  if (essence !== type || !/^charset="?utf-?8"?$/.test(charset))
    return [{ code: 'answer-type', text: `the Content-Type, not ${type} in UTF-8`, value }]
  const content = parseJson(body)
  const isStatusRight = status < 400 || Object(content).status === status
  if (ajv.validate(schema, content) && isStatusRight) return []
  const text = ajv.errors ? ajv.errorsText(ajv.errors, { dataVar: 'body' }) : 'another `status` in the body'
  return [{ code: 'answer-body', text: content === undefined ? 'a body that is not JSON' : text }]
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
