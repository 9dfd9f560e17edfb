import { EMAIL_MAX_LENGTH } from './email.ts'
import { TEXT, VALIDATION_TEXT } from './texts.ts'

/** A field of an enquiry: what the page, the server's mails and the exports have to know about it. */
type Field = {
  readonly label: string
  /** A name has one line. A message may have several. */
  readonly kind: 'name' | 'email' | 'message'
  /** The value of the HTML attribute `autocomplete`. The kind 'email' needs none, because its input has it already. */
  readonly autoComplete?: string
  /** The most characters, counted in UTF-16. The input has no `maxlength`: a browser would cut a pasted text. */
  readonly maxLength: number
  /** The error of an empty field; null if the field may stay empty. */
  readonly errorIfEmpty: string | null
}

const { noFirst, noLast, noEmail, noMessage } = VALIDATION_TEXT

export type FieldName = 'first' | 'last' | 'email' | 'message'

/** The fields in the order of the form. docs/add-a-field.md says how to add a field. */
export const FIELDS: Readonly<Record<FieldName, Field>> = {
  first: { label: TEXT.first, kind: 'name', autoComplete: 'given-name', maxLength: 100, errorIfEmpty: noFirst },
  last: { label: TEXT.last, kind: 'name', autoComplete: 'family-name', maxLength: 100, errorIfEmpty: noLast },
  email: { label: TEXT.email, kind: 'email', maxLength: EMAIL_MAX_LENGTH, errorIfEmpty: noEmail },
  message: { label: TEXT.message, kind: 'message', maxLength: 5000, errorIfEmpty: noMessage },
}

// The casts are needed because the types of Object.keys and Object.fromEntries lose the names of the keys.
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[]
export const mapFields = <Result>(map: (name: FieldName) => Result) =>
  Object.fromEntries(FIELD_NAMES.map((name) => [name, map(name)])) as Record<FieldName, Result>

/** The texts of an enquiry. A field without a text has ''. */
export type Enquiry = Readonly<Record<FieldName, string>>

/** The most bytes in the body of a call. The longest enquiry is shorter, even if every character is escaped. */
export const MAX_BODY_BYTES = 65_536
