import { cleanEmail, type DomainToAscii, isEmail } from './email.ts'
import { type Enquiry, FIELD_NAMES, FIELDS, type FieldName, mapFields } from './enquiry-fields.ts'
import { TEXT, VALIDATION_TEXT } from './texts.ts'
import { cleanMessage, cleanName, isBlank } from './typed-text.ts'

/** Returns the error of a cleaned text as a sentence, or null if the text is valid. */
export function fieldError(name: FieldName, text: string): string | null {
  const { errorIfEmpty, maxLength, kind } = FIELDS[name]
  if (isBlank(text)) return errorIfEmpty
  const excess = text.length - maxLength
  if (excess > 0) return TEXT.charactersTooMany(excess)
  return kind === 'email' && !isEmail(text) ? VALIDATION_TEXT.invalidEmail : null
}

/** Returns the longest usual error of a field. A form keeps room for it, so that nothing moves when an error appears. */
export function longestError(name: FieldName): string {
  const { errorIfEmpty, maxLength, kind } = FIELDS[name]
  const errors = [
    errorIfEmpty ?? '',
    TEXT.charactersTooMany(maxLength),
    kind === 'email' ? VALIDATION_TEXT.invalidEmail : '',
  ]
  return errors.reduce((longest, error) => (error.length > longest.length ? error : longest))
}

export type ValidationError = { readonly field: FieldName; readonly text: string }

/**
 * Cleans the typed texts, and checks them in the order of the form. `error` is the first error, or null: then the page
 * sends `enquiry`. The specification asks for `hasUsualNames`, which no code uses.
 */
export function validateEnquiry(typed: Enquiry, domainToAscii: DomainToAscii) {
  const clean = {
    name: cleanName,
    email: (text: string) => cleanEmail(text, domainToAscii),
    message: cleanMessage,
  }
  const enquiry = mapFields((name) => {
    const text = clean[FIELDS[name].kind](typed[name])
    return isBlank(text) ? '' : text
  })
  const errors = FIELD_NAMES.map((field) => ({ field, text: fieldError(field, enquiry[field]) }))
  const error = errors.find((each): each is ValidationError => each.text !== null) ?? null
  return { enquiry, error, hasUsualNames: hasUsualNames(enquiry) }
}

/** Whether both names consist only of letters, marks, spaces and usual punctuation. */
function hasUsualNames({ first, last }: { readonly first: string; readonly last: string }): boolean {
  return /^[\p{L}\p{M}\p{Zs}.'’·-]*$/u.test(first + last)
}
