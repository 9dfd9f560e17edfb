import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'

/** The content that the contract expects, and the content that was found. */
export type Difference = {
  readonly expected: string
  readonly actual: string
  /** The sentence of the contract that the answer breaks, if it is not the tested one. */
  readonly rule?: string
}

const MAX_DIFFERENCES = 5

/** Whether a text is a URI reference by RFC 3986, section 4.1. */
const isUriReference = (text: string) =>
  /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\dA-Fa-f]{2})*$/.test(text) && URL.canParse(text, 'https://example.com')

/** `true` means that the format is not checked, because the contract has a pattern for it. */
const FORMATS = { uuid: true, 'uri-reference': isUriReference } as const

const ajv = new Ajv2020({ strict: false, formats: FORMATS, allErrors: true, verbose: true })

/** A validator for a schema of the contract whose references are resolved. */
export const compile = (schema: object): ValidateFunction => ajv.compile(schema)

/** The faults of a body's text: it is not JSON, or it breaks the schema. */
export function bodyErrors(isValid: ValidateFunction, text: string): Difference[] {
  const value = parseJson(text)
  if (text.startsWith('\ufeff'))
    return [{ expected: 'JSON in UTF-8', actual: `a byte order mark before ${text.slice(1)}` }]
  if (value === undefined) return [{ expected: 'JSON in UTF-8', actual: text || 'an empty body' }]
  if (isValid(value)) return []
  const errors = (isValid.errors ?? []).filter(({ keyword }) => keyword !== 'oneOf')
  // `success` says which alternative the body has.
  const alternativeOf = ({ schemaPath }: ErrorObject) => /^#\/oneOf\/\d+/.exec(schemaPath)?.[0] ?? ''
  const excluded = errors.filter(({ keyword }) => keyword === 'const').map(alternativeOf)
  const relevant = errors.filter((error) => !excluded.includes(alternativeOf(error)))
  const differences = (relevant.length > 0 ? relevant : errors).map(differenceOf)
  const unique = new Map(differences.map((difference) => [`${difference.expected}${difference.actual}`, difference]))
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

/** A value of an answer as text, even if it is nested too deep for JSON.stringify. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'none'
  } catch {
    return 'a value nested too deep to show'
  }
}
