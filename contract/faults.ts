import type { IncomingHttpHeaders } from 'node:http'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Operation, Response, Schema } from './operations.ts'

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

// The contract has a pattern for each format that matters.
const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, allErrors: true })

export const isValid = (schema: Schema, value: unknown): boolean => ajv.validate(schema, value) === true

/** How an answer breaks what the contract says about its status, and how to fix it. An answer to HEAD has no body. */
export function* answerFaults({ headers, content }: Response, answer: Answer, method = 'POST') {
  for (const [type, { schema }] of Object.entries(method === 'HEAD' ? {} : content)) {
    const value = `${answer.headers['content-type'] ?? 'missing'}`
    const [essence, ...parameters] = value.toLowerCase().split(/ *; */)
    const charset = parameters.find((parameter) => parameter.startsWith('charset=')) ?? 'charset=utf-8'
    if (essence !== type || !/^charset="?utf-?8"?$/.test(charset))
      yield `The Content-Type is ${value}, not ${type} in UTF-8. Look at the answers of the framework and of proxies.`
    const body = parseJson(answer.body)
    if (body === undefined) yield 'The body is not JSON.'
    if (!isValid(schema, body))
      yield `The body breaks openapi.yaml: ${ajv.errorsText(ajv.errors, { dataVar: 'body' })}.`
    if (answer.status >= 400 && Object(body).status !== answer.status)
      yield 'The `status` in the body is not the status of the answer.'
  }
  for (const [name, { required, schema }] of Object.entries(headers)) {
    const value = answer.headers[name.toLowerCase()]
    // A header is a text, whatever the type of its schema.
    const isRight = typeof value === 'string' ? isValid(schema, value) || isValid(schema, Number(value)) : !required
    if (!isRight)
      yield `The header ${name} is ${value ?? 'missing'}. Set it in every answer with this status, also the framework's own.`
  }
}

/** The places that the `errors` of a 422 have to name: fields as JSON Pointers, headers as `header name`. */
export function requestFaults({ requestSchema, headerSchema }: Operation, headers: object, body: unknown): string[] {
  const ofBody = isValid(requestSchema, body) ? [] : (ajv.errors ?? [])
  const ofHeaders = isValid(headerSchema, headers) ? [] : (ajv.errors ?? [])
  const places = ofBody.map(({ instancePath, params: { missingProperty, additionalProperty } }) => {
    const name: string | undefined = missingProperty ?? additionalProperty
    return name === undefined ? instancePath : `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
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
