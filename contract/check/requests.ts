import { randomBytes } from 'node:crypto'
import type { Field, Operation } from '../operations.ts'
import type { Call } from './client.ts'

/** Part of every address that is sent, so that the operator can tell them from real leads. */
export const RUN_ID = randomBytes(4).toString('hex')

let count = 0
export const newLocalPart = () => `contract+${RUN_ID}.${++count}`
export const newAddress = () => `${newLocalPart()}@example.com`

/** An address of `length` characters, of which `before` stand before the @. */
export function addressOf(length: number, before: number): string {
  const domain = [63, 63, 63].map((label) => 'd'.repeat(label)).join('.')
  return `${newLocalPart().padEnd(before, 'a')}@${domain.slice(domain.length - length + before + 13)}.example.com`
}

/** Values by the JSON Pointer of their field; undefined removes the field. */
export type Fields = Readonly<Record<string, unknown>>

/** The contract's example with a new address, unless `fields` say otherwise. */
export const exampleOf = ({ requestExamples }: Operation, fields: Fields = {}): object =>
  Object.entries({ '/email': newAddress(), ...fields }).reduce(
    (body, [pointer, value]) => withField(body, pointer, value),
    Object(requestExamples[0]?.value),
  )

export const jsonOf = (operation: Operation, fields?: Fields): string => JSON.stringify(exampleOf(operation, fields))

/** How a request differs from a POST of the contract's example. */
export type RequestOptions = {
  readonly fields?: Fields | undefined
  /** What is sent in place of the example: text and bytes as they are, anything else as JSON. */
  readonly body?: unknown
  /** Changes the text of the body. */
  readonly edit?: (json: string) => string | Buffer
  readonly headers?: Call['headers']
  readonly method?: string
  readonly path?: string
}

export function request(operation: Operation, options: RequestOptions = {}): Call {
  const { fields, body = exampleOf(operation, fields), edit, headers, method = 'POST', path = operation.path } = options
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
  const text = isRaw ? body : JSON.stringify(body)
  const bytes = Buffer.from(edit ? edit(`${text}`) : text)
  return { method, path, headers: { 'content-type': 'application/json', ...headers }, body: bytes }
}

export const withEmails = (...emails: string[]): RequestOptions[] =>
  emails.map((email) => ({ fields: { '/email': email } }))
export const withHeader = (name: string, ...values: (string | null)[]): RequestOptions[] =>
  values.map((value) => ({ headers: { [name]: value } }))

/** All fields but the address. */
export const textFieldsOf = ({ fields }: Operation) => fields.filter(({ pointer }) => pointer !== '/email')

/** One request for each value and each field that must not have it. A value may come from the field's bounds. */
export const invalidInEach = (
  operation: Operation,
  fields: readonly Field[],
  ...values: readonly (unknown | ((field: Field) => string))[]
): RequestOptions[] =>
  values.flatMap((value) =>
    fields
      .map((field) => ({ [field.pointer]: typeof value === 'function' ? value(field) : value }))
      .filter((fields) => !operation.isRequest(exampleOf(operation, fields)))
      .map((fields) => ({ fields })),
  )

/** A name as part of a JSON Pointer (RFC 6901). */
export const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** A copy of a body with another value of one field. */
export function withField(body: object, pointer: string, value: unknown): object {
  const [part = '', ...rest] = pointer.slice(1).split('/')
  const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
  return { ...body, [name]: rest.length > 0 ? withField(Object(body)[name], `/${rest.join('/')}`, value) : value }
}
