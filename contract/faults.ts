import type { IncomingHttpHeaders } from 'node:http'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonSchema, Operation, ResponseSpec } from './operations.ts'

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

// Formats are not checked, because the contract also has a pattern wherever the format of a value matters.
const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, allErrors: true })

export const isValid = (schema: JsonSchema, value: unknown): boolean => ajv.validate(schema, value) === true

/** Finds how an answer breaks what the contract says about its status. Each fault says what to do. */
export function* answerFaults({ headers, content }: ResponseSpec, answer: Answer, method = 'POST') {
  // An answer to HEAD has no body.
  for (const [type, { schema }] of Object.entries(method === 'HEAD' ? {} : content)) {
    const value = `${answer.headers['content-type'] ?? 'missing'}`
    const [essence, ...parameters] = value.toLowerCase().split(/ *; */)
    const charset = parameters.find((parameter) => parameter.startsWith('charset=')) ?? 'charset=utf-8'
    if (essence !== type || !/^charset="?utf-?8"?$/.test(charset))
      yield `The Content-Type is ${value}, not ${type} in UTF-8. Set it, also in the answers of framework and proxies.`
    const body = parseJson(answer.body)
    if (body === undefined) yield 'The body is not JSON. Answer with the JSON that openapi.yaml has for this status.'
    if (!isValid(schema, body))
      yield `The body breaks openapi.yaml: ${ajv.errorsText(ajv.errors, { dataVar: 'body' })}.`
    if (answer.status >= 400 && Object(body).status !== answer.status)
      yield 'The `status` in the body is not the status of the answer. Use the same number for both.'
  }
  for (const [name, { required, schema }] of Object.entries(headers)) {
    const value = answer.headers[name.toLowerCase()]
    // A header is always a text. Its schema may be for a text or for a number.
    const isRight = typeof value === 'string' ? isValid(schema, value) || isValid(schema, Number(value)) : !required
    if (!isRight)
      yield `The header ${name} is ${value ?? 'missing'}. Set it as in openapi.yaml, also in answers of the framework.`
  }
}

/** Returns the places where a request breaks the schemas: fields as JSON Pointers, and headers as 'header NAME'. */
export function faultyPlaces({ requestSchema, headerSchema }: Operation, headers: object, body: unknown): string[] {
  const ofBody = isValid(requestSchema, body) ? [] : (ajv.errors ?? [])
  const ofHeaders = isValid(headerSchema, headers) ? [] : (ajv.errors ?? [])
  const places = ofBody.map(({ instancePath, params: { missingProperty, additionalProperty } }) => {
    const name: string | undefined = missingProperty ?? additionalProperty
    return name === undefined ? instancePath : `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  })
  return [...new Set([...places, ...ofHeaders.map(({ instancePath }) => `header ${instancePath.slice(1)}`)])]
}

/** Parses a text as JSON. Returns undefined if the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
