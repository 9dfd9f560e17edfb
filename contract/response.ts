import type { ValidateFunction } from 'ajv/dist/2020.js'
import { bodyErrors, compile, type Difference, parseJson, toJson } from './schemas.ts'

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

export type Example = { readonly name: string; readonly summary: string; readonly value: unknown }

/** What an operation may answer with one status. */
export type Response = {
  readonly description: string
  readonly contents: readonly {
    readonly mediaType: string
    readonly isValid: ValidateFunction
    readonly examples: readonly Example[]
  }[]
  /** How an answer differs from this response. An answer to HEAD has no body, so only its headers count. */
  differences(answer: Answer, method?: string): Difference[]
}

export type RawSchema = { minLength?: number; maxLength?: number; properties?: Record<string, RawSchema> }
export type RawContent = { schema: RawSchema; examples?: Record<string, { summary?: string; value: unknown }> }
export type RawResponse = {
  description: string
  headers?: Record<string, { description?: string; required?: boolean; schema: RawSchema }>
  content?: Record<string, RawContent>
}

const CHARSET = 'are in UTF-8, and have no other `charset`.'

export const examplesOf = (examples: RawContent['examples'] = {}): Example[] =>
  Object.entries(examples).map(([name, { summary = '', value }]) => ({ name, summary, value }))

/** Reads a response of the contract whose references are resolved. */
export function readResponse({ description, headers = {}, content = {} }: RawResponse): Response {
  const headerRules = Object.entries(headers).map(([name, { required, schema, description: rule = '' }]) => {
    const isValid = compile(schema)
    return ({ headers }: Answer): Difference[] => {
      const value = headers[name.toLowerCase()]
      if (value === undefined) return required ? [{ expected: `the header ${name}`, actual: 'none', rule }] : []
      if (typeof value !== 'string' || isValid(value) || isValid(Number(value))) return []
      return [{ expected: `a valid ${name}`, actual: value, rule }]
    }
  })
  const contents = Object.entries(content).map(([mediaType, { schema, examples }]) => ({
    mediaType,
    isValid: compile(schema),
    examples: examplesOf(examples),
  }))

  function bodyDifferences({ status, headers, body }: Answer): Difference[] {
    if (contents.length === 0) return []
    const type = String(headers['content-type'] ?? 'no Content-Type')
    const essence = type.replace(/;.*/s, '').trim().toLowerCase()
    const content = contents.find(({ mediaType }) => mediaType === essence)
    if (!content) return [{ expected: contents.map(({ mediaType }) => mediaType).join(' or '), actual: type }]
    const charset = /; *charset="?([^";]*)/i.exec(type)?.[1] ?? 'utf-8'
    if (!/^utf-?8$/i.test(charset)) return [{ expected: 'no charset but utf-8', actual: type, rule: CHARSET }]
    if (body.includes('\ufffd')) return [{ expected: 'JSON in UTF-8', actual: body, rule: CHARSET }]
    const errors = bodyErrors(content.isValid, body)
    if (errors.length > 0 || status < 400) return errors
    const bodyStatus = toJson(Object(parseJson(body)).status)
    return bodyStatus === `${status}` ? [] : [{ expected: `/status ${status}`, actual: `/status ${bodyStatus}` }]
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
