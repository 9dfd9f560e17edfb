import { EMAIL_MAX_LENGTH, isEmail } from './email.ts'

/** The most characters that each text field takes. */
export const MAX_LENGTH = { first: 100, last: 100, email: EMAIL_MAX_LENGTH, message: 5000 }

export type EnquiryError = 'noFirst' | 'noLast' | 'noEmail' | 'invalidEmail' | 'noMessage'

type Rule = {
  /** The error of an empty field, or false if it may stay empty. */
  readonly required: EnquiryError | false
  /** The text as it is sent: trimmed, nothing in it that the contract refuses, never longer than typed. */
  normalize(text: string): string
  /** What is wrong with a normalized text that is not empty. */
  error?(text: string): EnquiryError | null
}

const LINE_OR_CONTROL = /[\p{Cc}\u2028\u2029]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0000 is what is looked for.
const NUL = /\u0000/g

const onOneLine = (text: string) => text.toWellFormed().replace(LINE_OR_CONTROL, ' ').trim()

/** Every field, in the order of the form. The types below and the page follow from it. */
const RULES = {
  first: { required: 'noFirst', normalize: onOneLine },
  last: { required: 'noLast', normalize: onOneLine },
  email: {
    required: 'noEmail',
    normalize: (text) => text.trim(),
    error: (text) => (isEmail(text) ? null : 'invalidEmail'),
  },
  message: { required: 'noMessage', normalize: (text) => text.toWellFormed().replace(NUL, ' ').trim() },
} satisfies Record<string, Rule>

export type EnquiryField = keyof typeof RULES

/** What the form holds: '' where nothing is typed, ticked or chosen. */
export type TypedEnquiry = Readonly<Record<EnquiryField, string>>

/** What is sent: an optional field that is empty is null. */
export type Enquiry = { readonly [Field in EnquiryField]: Value<(typeof RULES)[Field]> }
type Value<R extends Rule> = Exclude<ReturnType<R['normalize']>, ''> | (R['required'] extends false ? null : never)

// Object.keys and Object.fromEntries give up the names of the keys.
export const ENQUIRY_FIELDS = Object.keys(RULES) as EnquiryField[]
export const mapFields = <Result>(map: (field: EnquiryField) => Result) =>
  Object.fromEntries(ENQUIRY_FIELDS.map((field) => [field, map(field)])) as Record<EnquiryField, Result>

const ruleOf = (field: EnquiryField): Rule => RULES[field]

export const isRequired = (field: EnquiryField): boolean => ruleOf(field).required !== false

/** From so few characters on, a field tells how many it still takes. */
const COUNTDOWN_FROM = 200

/** How many more characters a field takes, or null while there is plenty of room. */
export function charactersLeft(field: EnquiryField, text: string): number | null {
  const left = MAX_LENGTH.message - text.length
  return field === 'message' && left <= COUNTDOWN_FROM ? left : null
}

/** The enquiry as it is sent if `firstError` finds none in it. */
export const normalize = (typed: TypedEnquiry | Enquiry) =>
  mapFields((field) => ruleOf(field).normalize(typed[field] ?? '') || (isRequired(field) ? '' : null)) as Enquiry

export type ValidationError = { readonly field: EnquiryField; readonly code: EnquiryError }

/** The first error of a normalized enquiry, in the order of the form, or null. */
export function firstError(enquiry: Enquiry): ValidationError | null {
  for (const field of ENQUIRY_FIELDS) {
    const { required, error } = ruleOf(field)
    const text = enquiry[field]
    const code = text ? error?.(text) : required
    if (code) return { field, code }
  }
  return null
}

/** Whether names are made of letters, marks, spaces and the usual signs. Nothing is refused for it. */
function hasCommonNameCharacters({ first, last }: Enquiry): boolean {
  return /^[\p{L}\p{M}\p{Zs}.'’·-]*$/u.test(first + last)
}

/** Everything that is checked of a typed enquiry. Only `error` keeps it from being sent. */
export function validateEnquiry(typed: TypedEnquiry) {
  const enquiry = normalize(typed)
  return { enquiry, error: firstError(enquiry), commonNames: hasCommonNameCharacters(enquiry) }
}
