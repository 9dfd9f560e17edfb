import { EMAIL_MAX_LENGTH, isEmail } from './email.ts'

/** Every field, in the order of the form, with the most characters that it takes. */
export const MAX_LENGTH = { first: 100, last: 100, email: EMAIL_MAX_LENGTH, message: 5000 }

export type EnquiryField = keyof typeof MAX_LENGTH
export type Enquiry = Readonly<Record<EnquiryField, string>>

// Object.keys and Object.fromEntries give up the names of the keys.
export const ENQUIRY_FIELDS = Object.keys(MAX_LENGTH) as EnquiryField[]
export const createEnquiry = (textOf: (field: EnquiryField) => string) =>
  Object.fromEntries(ENQUIRY_FIELDS.map((field) => [field, textOf(field)])) as Enquiry

/** From so few characters on, a field tells how many it still takes. */
const COUNTDOWN_FROM = 200

/** How many more characters a field takes, or null while there is plenty of room. */
export function charactersLeft(field: EnquiryField, text: string): number | null {
  const left = MAX_LENGTH[field] - text.length
  return field === 'message' && left <= COUNTDOWN_FROM ? left : null
}

export type EnquiryError = 'noFirst' | 'noLast' | 'noEmail' | 'invalidEmail' | 'noMessage'

type Rule = {
  /** The text as it is sent: trimmed, nothing in it that the contract refuses, never longer than typed. */
  normalize(text: string): string
  /** What is wrong with a normalized text. */
  error(text: string): EnquiryError | null
}

const LINE_OR_CONTROL = /[\p{Cc}\u2028\u2029]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0000 is what is looked for.
const NULL = /\u0000/g

const onOneLine = (text: string) => text.toWellFormed().replace(LINE_OR_CONTROL, ' ').trim()
const required = (missing: EnquiryError) => (text: string) => (text === '' ? missing : null)

const RULES: Record<EnquiryField, Rule> = {
  first: { normalize: onOneLine, error: required('noFirst') },
  last: { normalize: onOneLine, error: required('noLast') },
  email: {
    normalize: (text) => text.trim(),
    error: (text) => required('noEmail')(text) ?? (isEmail(text) ? null : 'invalidEmail'),
  },
  message: {
    normalize: (text) => text.toWellFormed().replace(NULL, ' ').trim(),
    error: required('noMessage'),
  },
}

export const isRequired = (field: EnquiryField): boolean => RULES[field].error('') !== null

/** The enquiry as it is sent. */
export const normalize = (typed: Enquiry): Enquiry => createEnquiry((field) => RULES[field].normalize(typed[field]))

export type ValidationError = { readonly field: EnquiryField; readonly code: EnquiryError }

/** The first error of a normalized enquiry, in the order of the form, or null. */
export function firstError(enquiry: Enquiry): ValidationError | null {
  for (const field of ENQUIRY_FIELDS) {
    const code = RULES[field].error(enquiry[field])
    if (code !== null) return { field, code }
  }
  return null
}

/** Whether names are made of letters, marks, spaces and the usual signs. Nothing is refused for it. */
function hasCommonNameCharacters({ first, last }: Enquiry): boolean {
  return /^[\p{L}\p{M}\p{Zs}.'’·-]*$/u.test(first + last)
}

/** Everything that is checked of a typed enquiry. Only `error` keeps it from being sent. */
export function validateEnquiry(typed: Enquiry) {
  const enquiry = normalize(typed)
  return { enquiry, error: firstError(enquiry), commonNames: hasCommonNameCharacters(enquiry) }
}
