import type { FastifySchemaValidationError } from 'fastify'
import { EMAIL_MAX_LENGTH } from '../src/domain/email.ts'
import { MAX_LENGTH } from '../src/domain/enquiry.ts'
import type { FieldError } from './problems.ts'

const OBJECT = 'must be an object with the fields of the contract and no others'
const NAME = `must have 1 to ${MAX_LENGTH.first} characters, without control characters or surrounding white space`

/** By JSON Pointer. Fixed texts: nothing that was sent gets into an answer. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['', OBJECT],
  ['/name', OBJECT],
  ['/name/first', NAME],
  ['/name/last', NAME],
  ['/email', `must be an email address of at most ${EMAIL_MAX_LENGTH} characters`],
  ['/msg', `must have 1 to ${MAX_LENGTH.message} characters, without U+0000 or surrounding white space`],
])

const HEADERS: ReadonlyMap<string, FieldError> = new Map([
  ['/idempotency-key', { header: 'Idempotency-Key', detail: 'must be a UUID' }],
  ['/x-xsrf-token', { header: 'X-XSRF-TOKEN', detail: 'must have at most 4096 characters' }],
])

const BROKEN_RULE = 'breaks a rule of the contract'

export const fieldError = (pointer: string): FieldError => ({ pointer, detail: FIELDS.get(pointer) ?? BROKEN_RULE })

/** Each field at fault once, missing ones by their own pointer. */
export function fieldErrors(faults: readonly FastifySchemaValidationError[], part: string | undefined): FieldError[] {
  const pointers = new Set(faults.map(pointerOf))
  return [...pointers].map((pointer) => (part === 'headers' ? headerError(pointer) : fieldError(pointer)))
}

const headerError = (pointer: string): FieldError =>
  HEADERS.get(pointer) ?? { header: pointer.slice(1), detail: BROKEN_RULE }

const pointerOf = ({ instancePath, keyword, params }: FastifySchemaValidationError) =>
  keyword === 'required' ? `${instancePath}/${params.missingProperty}` : instancePath
