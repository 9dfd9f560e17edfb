import { type DomainToAscii, isEmail, mendEmail } from './email.ts'
import { type Enquiry, FIELD_NAMES, FIELDS, type Field, type FieldName, mapFields } from './enquiry-fields.ts'
import { TEXT, VALIDATION_TEXT } from './texts.ts'
import { isBlank, tidy, tidyName } from './typed-text.ts'

/** The error of a normalized field, as a sentence; null if the field is valid. */
export function fieldError(name: FieldName, text: string): string | null {
  const { errorOfEmpty, maxLength, kind }: Field = FIELDS[name]
  if (isBlank(text)) return errorOfEmpty
  const excess = text.length - maxLength
  if (excess > 0) return TEXT.charactersTooMany(excess)
  return kind === 'email' && !isEmail(text) ? VALIDATION_TEXT.invalidEmail : null
}

/** The longest error of a field: a form keeps room for it. */
export function longestError(name: FieldName): string {
  const { errorOfEmpty, maxLength, kind }: Field = FIELDS[name]
  const errors = [
    errorOfEmpty ?? '',
    TEXT.charactersTooMany(maxLength),
    kind === 'email' ? VALIDATION_TEXT.invalidEmail : '',
  ]
  return errors.reduce((longest, error) => (error.length > longest.length ? error : longest))
}

export type ValidationError = { readonly field: FieldName; readonly text: string }

/** Trims and mends typed texts, and checks them in the order of the form. Only an `error` keeps them from being sent. */
export function validateEnquiry(typed: Enquiry, domainToAscii: DomainToAscii) {
  const tidyUp = {
    name: tidyName,
    email: (text: string) => mendEmail(text, domainToAscii),
    message: tidy,
  }
  const enquiry = mapFields((name) => {
    const text = tidyUp[FIELDS[name].kind](typed[name])
    return isBlank(text) ? '' : text
  })
  const errors = FIELD_NAMES.map((field) => ({ field, text: fieldError(field, enquiry[field]) }))
  const error = errors.find((each): each is ValidationError => each.text !== null) ?? null
  return { enquiry, error, commonNames: hasCommonNameCharacters(enquiry) }
}

/** Whether names consist of letters, marks, spaces and usual punctuation. As specified, nothing depends on the result. */
function hasCommonNameCharacters({ first, last }: { readonly first: string; readonly last: string }): boolean {
  return /^[\p{L}\p{M}\p{Zs}.'’·-]*$/u.test(first + last)
}
