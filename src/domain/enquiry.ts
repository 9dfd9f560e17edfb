import { EMAIL_MAX_LENGTH, isEmail } from './email.ts'

/** An enquiry as it is sent. An optional field is `string | null`: null where it is empty. */
export type Enquiry = {
  readonly first: string
  readonly last: string
  readonly email: string
  readonly message: string
}

export type EnquiryField = keyof Enquiry

/** What the form holds: '' where nothing is typed, ticked or chosen. */
export type TypedEnquiry = Readonly<Record<EnquiryField, string>>

/** The most characters that each text field takes. */
export const MAX_LENGTH = { first: 100, last: 100, email: EMAIL_MAX_LENGTH, message: 5000 }

export type EnquiryError = 'noFirst' | 'noLast' | 'noEmail' | 'invalidEmail' | 'noMessage'

type Rule = {
  /** The error of an empty field, or false if it may stay empty. */
  readonly required: EnquiryError | false
  /** What is wrong with a normalized text that is not empty. */
  error?(text: string): EnquiryError | null
}

/** Every field, in the order of the form. */
const RULES: Readonly<Record<EnquiryField, Rule>> = {
  first: { required: 'noFirst' },
  last: { required: 'noLast' },
  email: { required: 'noEmail', error: (text) => (isEmail(text) ? null : 'invalidEmail') },
  message: { required: 'noMessage' },
}

// The casts are there because the types of Object.keys and Object.fromEntries give up the names of the keys.
export const ENQUIRY_FIELDS = Object.keys(RULES) as EnquiryField[]
export const mapFields = <Result>(map: (field: EnquiryField) => Result) =>
  Object.fromEntries(ENQUIRY_FIELDS.map((field) => [field, map(field)])) as Record<EnquiryField, Result>

export const isRequired = (field: EnquiryField): boolean => RULES[field].required !== false

/** When this many characters or fewer are left, the field of the message counts them down. */
const COUNTDOWN_FROM = 200

/** How many more characters the message takes, or null while there is plenty of room; null for every other field. */
export function charactersLeft(field: EnquiryField, text: string): number | null {
  const left = MAX_LENGTH.message - text.length
  return field === 'message' && left <= COUNTDOWN_FROM ? left : null
}

const LINE_OR_CONTROL = /[\p{Cc}\u2028\u2029]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0000 is what is looked for.
const NUL = /\u0000/g

const onOneLine = (text: string) => text.toWellFormed().replace(LINE_OR_CONTROL, ' ').trim()

/** Trims each field, and replaces the characters in it that the contract refuses. No field gets longer. */
export const normalize = ({ first, last, email, message }: TypedEnquiry | Enquiry): Enquiry => ({
  first: onOneLine(first),
  last: onOneLine(last),
  email: email.trim(),
  message: message.toWellFormed().replace(NUL, ' ').trim(),
})

export type ValidationError = { readonly field: EnquiryField; readonly code: EnquiryError }

/** The first error of a normalized enquiry, in the order of the form, or null. */
function firstError(enquiry: Enquiry): ValidationError | null {
  for (const field of ENQUIRY_FIELDS) {
    const { required, error } = RULES[field]
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
