import { EMAIL_MAX_LENGTH } from './email.ts'
import { TEXT, VALIDATION_TEXT } from './texts.ts'

/** A field of an enquiry. The page, the call, the mail and the exports read this. */
export type Field = {
  readonly label: string
  /** Which texts it takes: a name stands on one line, a message on several. */
  readonly kind: 'name' | 'email' | 'message'
  /** What a browser fills in, by the HTML standard. The kind says it for an address. */
  readonly autoComplete?: string
  /** The most characters, in UTF-16. An input has no `maxlength`, at which a browser would cut a pasted text. */
  readonly maxLength: number
  /** The error of an empty field; null if the field may stay empty. */
  readonly errorOfEmpty: string | null
}

/** The fields in the order of the form. docs/add-a-field.md adds one. */
export const FIELDS = {
  first: {
    label: TEXT.first,
    kind: 'name',
    autoComplete: 'given-name',
    maxLength: 100,
    errorOfEmpty: VALIDATION_TEXT.noFirst,
  },
  last: {
    label: TEXT.last,
    kind: 'name',
    autoComplete: 'family-name',
    maxLength: 100,
    errorOfEmpty: VALIDATION_TEXT.noLast,
  },
  email: {
    label: TEXT.email,
    kind: 'email',
    maxLength: EMAIL_MAX_LENGTH,
    errorOfEmpty: VALIDATION_TEXT.noEmail,
  },
  message: {
    label: TEXT.message,
    kind: 'message',
    maxLength: 5000,
    errorOfEmpty: VALIDATION_TEXT.noMessage,
  },
} as const satisfies Record<string, Field>

export type FieldName = keyof typeof FIELDS

// The casts are needed because the types of Object.keys and Object.fromEntries lose the names of the keys.
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[]
export const mapFields = <Result>(map: (name: FieldName) => Result) =>
  Object.fromEntries(FIELD_NAMES.map((name) => [name, map(name)])) as Record<FieldName, Result>

/** An enquiry as it is sent. A field that may stay empty is then an empty text. */
export type Enquiry = Readonly<Record<FieldName, string>>

/** The most bytes of a call with JSON. The longest enquiry has less, even if every character is escaped. */
export const MAX_BODY_BYTES = 65_536
