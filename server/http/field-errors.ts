import type { FastifySchemaValidationError } from 'fastify'
import type { components } from '../../contract/types.d.ts'
import { XSRF_HEADER } from '../../src/domain/cookies.ts'
import { EMAIL_MAX_LENGTH } from '../../src/domain/email.ts'
import { FIELDS } from '../../src/domain/enquiry-fields.ts'

export type FieldError = components['schemas']['InvalidFieldsProblem']['errors'][number]

const OBJECT = 'must be an object with the fields of the contract'
const NAME = `must have 1 to ${FIELDS.first.maxLength} characters, without control characters or surrounding white space`

/** The text for each field of the contract, by its JSON Pointer. It is fixed: an answer never repeats a sent value. */
export const FIELD_TEXTS: ReadonlyMap<string, string> = new Map([
  ['', OBJECT],
  ['/name', OBJECT],
  ['/name/first', NAME],
  ['/name/last', NAME],
  ['/email', `must be an email address of at most ${EMAIL_MAX_LENGTH} characters`],
  ['/msg', `must have 1 to ${FIELDS.message.maxLength} characters, without U+0000 or surrounding white space`],
])

const HEADERS: ReadonlyMap<string, FieldError> = new Map([
  ['/idempotency-key', { header: 'Idempotency-Key', detail: 'must be a UUID' }],
  [`/${XSRF_HEADER.toLowerCase()}`, { header: XSRF_HEADER, detail: 'must have at most 4096 characters' }],
])

const BROKEN_RULE = 'breaks a rule of the contract'

/** The most errors in one answer: a body has room for thousands. */
const MAX_ERRORS = 20

/** Names each invalid field once; missing and unknown fields have pointers of their own. */
export function fieldErrors(faults: readonly FastifySchemaValidationError[], part: string | undefined): FieldError[] {
  const errors = new Map<string, FieldError>()
  for (const fault of faults) {
    const { pointer, detail } = describe(fault)
    const headerError = HEADERS.get(pointer) ?? { header: pointer.slice(1), detail: BROKEN_RULE }
    errors.set(pointer, part === 'headers' ? headerError : { pointer, detail })
  }
  return [...errors.values()].slice(0, MAX_ERRORS)
}

function describe({ instancePath, keyword, params }: FastifySchemaValidationError) {
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty).replaceAll('~', '~0').replaceAll('/', '~1')
    return { pointer: `${instancePath}/${name}`, detail: 'is not a field of the contract' }
  }
  const pointer = keyword === 'required' ? `${instancePath}/${params.missingProperty}` : instancePath
  return { pointer, detail: FIELD_TEXTS.get(pointer) ?? BROKEN_RULE }
}
