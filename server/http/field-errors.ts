import type { FastifySchemaValidationError } from 'fastify'
import type { components } from '../../contract/contract.d.ts'
import { XSRF_HEADER } from '../../src/domain/cookies.ts'
import { EMAIL_MAX_LENGTH } from '../../src/domain/email.ts'
import { FIELDS } from '../../src/domain/enquiry-fields.ts'

export type FieldError = components['schemas']['InvalidFieldsProblem']['errors'][number]

const OBJECT = 'must be an object with the fields of the contract'
const NAME_DETAIL = `must have 1 to ${FIELDS.first.maxLength} characters, without control characters or surrounding white space`

/** The text for each field of the contract, by its JSON Pointer. It is fixed: an answer never repeats a sent value. */
export const FIELD_ERROR_DETAILS: ReadonlyMap<string, string> = new Map([
  ['', OBJECT],
  ['/name', OBJECT],
  ['/name/first', NAME_DETAIL],
  ['/name/last', NAME_DETAIL],
  ['/email', `must be an email address of at most ${EMAIL_MAX_LENGTH} characters`],
  ['/msg', `must have 1 to ${FIELDS.message.maxLength} characters, without U+0000 or surrounding white space`],
])

const HEADERS: ReadonlyMap<string, FieldError> = new Map([
  ['idempotency-key', { header: 'Idempotency-Key', detail: 'must be a UUID' }],
  [XSRF_HEADER.toLowerCase(), { header: XSRF_HEADER, detail: 'must have at most 4096 characters' }],
])

const BROKEN_RULE = 'breaks a rule of the contract'

/** Returns one error for each invalid field of a body. Missing and unknown fields have a JSON Pointer too. */
export function fieldErrors(faults: readonly FastifySchemaValidationError[]): FieldError[] {
  const errors = faults.map(describe)
  return [...new Map(errors.map((error) => [error.pointer, error])).values()]
}

export function headerErrors(faults: readonly FastifySchemaValidationError[]): FieldError[] {
  const names = new Set(faults.map(({ instancePath }) => instancePath.slice(1)))
  return [...names].map((name) => ({ header: name, detail: BROKEN_RULE, ...HEADERS.get(name) }))
}

/** The client chooses the name of an unknown field, which can be very long. An answer repeats 100 characters at most. */
const NAME_START = /^.{0,100}/su

function describe({ instancePath, keyword, params }: FastifySchemaValidationError) {
  if (keyword === 'additionalProperties') {
    const [name = ''] = NAME_START.exec(`${params.additionalProperty}`) ?? []
    const pointer = `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return { pointer, detail: 'is not a field of the contract' }
  }
  const pointer = keyword === 'required' ? `${instancePath}/${params.missingProperty}` : instancePath
  return { pointer, detail: FIELD_ERROR_DETAILS.get(pointer) ?? BROKEN_RULE }
}
