import type { FastifySchemaValidationError } from 'fastify'
import type { operations } from '../../src/contract.d.ts'
import { XSRF_HEADER } from '../../src/domain/cookies.ts'
import { EMAIL_MAX_LENGTH } from '../../src/domain/email.ts'
import { MAX_LENGTH } from '../../src/domain/enquiry.ts'
import type { FieldError } from './problems.ts'

export type Body<Operation extends keyof operations> =
  operations[Operation]['requestBody']['content']['application/json']

/** The JSON Pointers of the fields in `Object`, and of those in its objects; the objects too if `Objects`. */
type Pointer<Object, Objects = true, Start extends string = ''> = {
  [Field in keyof Object & string]-?: NonNullable<Object[Field]> extends object
    ?
        | Pointer<NonNullable<Object[Field]>, Objects, `${Start}/${Field}`>
        | (Objects extends true ? `${Start}/${Field}` : never)
    : `${Start}/${Field}`
}[keyof Object & string]

/** Where the values of a body are. */
export type ValuePointer<Operation extends keyof operations> = Pointer<Body<Operation>, false>

const OBJECT = 'must be an object with the fields of the contract'
const NAME = `must have 1 to ${MAX_LENGTH.first} characters, without control characters or surrounding white space`

/** For every field of the contract. The texts are fixed: an answer never repeats a value that was sent. */
const TEXTS: Readonly<Record<'' | { [Name in keyof operations]: Pointer<Body<Name>> }[keyof operations], string>> = {
  '': OBJECT,
  '/name': OBJECT,
  '/name/first': NAME,
  '/name/last': NAME,
  '/email': `must be an email address of at most ${EMAIL_MAX_LENGTH} characters`,
  '/msg': `must have 1 to ${MAX_LENGTH.message} characters, without U+0000 or surrounding white space`,
}

const FIELDS: ReadonlyMap<string, string> = new Map(Object.entries(TEXTS))

const HEADERS: ReadonlyMap<string, FieldError> = new Map([
  ['/idempotency-key', { header: 'Idempotency-Key', detail: 'must be a UUID' }],
  [`/${XSRF_HEADER.toLowerCase()}`, { header: XSRF_HEADER, detail: 'must have at most 4096 characters' }],
])

const BROKEN_RULE = 'breaks a rule of the contract'

const UNKNOWN = 'is not a field of the contract'

/** In one answer: a body has room for thousands. */
const MAX_ERRORS = 20

/** Of an unknown field's name. */
const MAX_NAME_LENGTH = 100

export const fieldError = (pointer: string): FieldError => ({ pointer, detail: FIELDS.get(pointer) ?? BROKEN_RULE })

/** Each invalid field once; missing and unknown fields have pointers of their own. */
export function fieldErrors(faults: readonly FastifySchemaValidationError[], part: string | undefined): FieldError[] {
  const errors = new Map(faults.map((fault) => [pointerOf(fault), fault.keyword]))
  return [...errors].slice(0, MAX_ERRORS).map(([pointer, keyword]) => {
    if (part === 'headers') return headerError(pointer)
    return keyword === 'additionalProperties' ? { pointer, detail: UNKNOWN } : fieldError(pointer)
  })
}

const headerError = (pointer: string): FieldError =>
  HEADERS.get(pointer) ?? { header: pointer.slice(1), detail: BROKEN_RULE }

function pointerOf({ instancePath, keyword, params }: FastifySchemaValidationError): string {
  if (keyword === 'required') return `${instancePath}/${params.missingProperty}`
  return keyword === 'additionalProperties'
    ? `${instancePath}/${escapePointer(params.additionalProperty)}`
    : instancePath
}

/** A name as part of a JSON Pointer, cut so that the answer does not grow with the request. */
const escapePointer = (name: unknown) =>
  [...String(name)].slice(0, MAX_NAME_LENGTH).join('').replaceAll('~', '~0').replaceAll('/', '~1')
