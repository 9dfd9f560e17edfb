import { type DomainToAscii, EMAIL_MAX_LENGTH, isEmail, mendEmail } from './email.ts'
import { TEXT, VALIDATION_TEXT } from './texts.ts'
import { isBlank, tidy, tidyName } from './typed-text.ts'

/** An enquiry as it is sent. */
export type Enquiry = {
  readonly first: string
  readonly last: string
  readonly email: string
  readonly message: string
}

export type EnquiryField = keyof Enquiry

/** The texts in the fields of the form. */
export type TypedEnquiry = Readonly<Record<EnquiryField, string>>

/**
 * The most characters that each field takes, counted in UTF-16. The inputs have no `maxlength`, at which a browser would
 * cut a pasted text: an error says how many characters are too many.
 */
export const MAX_LENGTH: Readonly<Record<EnquiryField, number>> = {
  first: 100,
  last: 100,
  email: EMAIL_MAX_LENGTH,
  message: 5000,
}

/** The most bytes of a call with JSON. The longest enquiry has less, even if every character is escaped. */
export const MAX_BODY_BYTES = 65_536

/** The error of each empty field, in the order of the form; null if the field may stay empty. */
export const ERROR_OF_EMPTY: Readonly<Record<EnquiryField, string | null>> = {
  first: VALIDATION_TEXT.noFirst,
  last: VALIDATION_TEXT.noLast,
  email: VALIDATION_TEXT.noEmail,
  message: VALIDATION_TEXT.noMessage,
}

// The casts are needed because the types of Object.keys and Object.fromEntries lose the names of the keys.
export const ENQUIRY_FIELDS = Object.keys(ERROR_OF_EMPTY) as EnquiryField[]
export const mapFields = <Result>(map: (field: EnquiryField) => Result) =>
  Object.fromEntries(ENQUIRY_FIELDS.map((field) => [field, map(field)])) as Record<EnquiryField, Result>

/** The error of a normalized field, as a sentence; null if the field is valid. */
export function fieldError(field: EnquiryField, text: string): string | null {
  if (isBlank(text)) return ERROR_OF_EMPTY[field]
  const excess = text.length - MAX_LENGTH[field]
  if (excess > 0) return TEXT.charactersTooMany(excess)
  return field === 'email' && !isEmail(text) ? VALIDATION_TEXT.invalidEmail : null
}

export type ValidationError = { readonly field: EnquiryField; readonly text: string }

/** Trims and mends a typed enquiry, and checks it in the order of the form. Only an `error` keeps it from being sent. */
export function validateEnquiry({ first, last, email, message }: TypedEnquiry, domainToAscii: DomainToAscii) {
  const enquiry: Enquiry = {
    first: tidyName(first),
    last: tidyName(last),
    email: mendEmail(email, domainToAscii),
    message: tidy(message),
  }
  const errors = ENQUIRY_FIELDS.map((field) => ({ field, text: fieldError(field, enquiry[field] ?? '') }))
  const error = errors.find((each): each is ValidationError => each.text !== null) ?? null
  return { enquiry, error, commonNames: hasCommonNameCharacters(enquiry) }
}

/** Whether names consist of letters, marks, spaces and usual punctuation. No name is refused for this. */
function hasCommonNameCharacters({ first, last }: Enquiry): boolean {
  return /^[\p{L}\p{M}\p{Zs}.'’·-]*$/u.test(first + last)
}
