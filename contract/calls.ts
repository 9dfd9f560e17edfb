/** A header that is null is not sent. */
export type Headers = Readonly<Record<string, string | readonly string[] | null>>
export type Call = {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: Buffer
  /** Whether it is the contract's example, without any change. */
  readonly isExample: boolean
}

/** Values by the JSON Pointer of their field; undefined removes the field. */
export type Fields = Readonly<Record<string, unknown>>

/** A copy of a body with other values of some fields. */
export const withFields = (body: object, fields: Fields): object =>
  Object.entries(fields).reduce((body, [pointer, value]) => withField(body, pointer.slice(1).split('/'), value), body)

function withField(body: object, [part = '', ...rest]: readonly string[], value: unknown): object {
  const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
  return { ...body, [name]: rest.length > 0 ? withField(Object(body)[name], rest, value) : value }
}
