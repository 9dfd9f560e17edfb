import { EMAIL_MAX_LENGTH, INVALID_EMAIL, isEmail } from './email.ts'
import type { EnquiryAnswer } from './ports.ts'

export type Enquiry = {
  readonly first: string
  readonly last: string
  readonly email: string
  readonly message: string
}

export type EnquiryField = keyof Enquiry

/** In the order of the form. */
export const ENQUIRY_FIELDS: readonly EnquiryField[] = ['first', 'last', 'email', 'message']

/** The most characters a field takes. */
export const MAX_LENGTH: Record<EnquiryField, number> = {
  first: 100,
  last: 100,
  email: EMAIL_MAX_LENGTH,
  message: 5000,
}

/** From so few characters on, a field tells how many it still takes. */
const FEW = 200

/** How many more characters a field takes, or null while there is plenty of room. */
export function fewLeft(field: EnquiryField, text: string): number | null {
  const left = MAX_LENGTH[field] - text.length
  return field === 'message' && left <= FEW ? left : null
}

export type Problem = { readonly field: EnquiryField; readonly text: string }

/** In the order in which they are told; only the first that holds is. */
const CHECKS: readonly (Problem & { holds(enquiry: Enquiry): boolean })[] = [
  { field: 'first', text: 'Please enter first name', holds: ({ first }) => first === '' },
  { field: 'last', text: 'Please enter last name', holds: ({ last }) => last === '' },
  { field: 'email', text: 'Please enter an email address', holds: ({ email }) => email === '' },
  {
    field: 'email',
    text: INVALID_EMAIL,
    holds: ({ email }) => !isEmail(email),
  },
  { field: 'message', text: 'Please enter a message', holds: ({ message }) => message === '' },
]

/** What stands between an enquiry and its sending, or null. Expects a tidied enquiry. */
export function firstProblem(enquiry: Enquiry): Problem | null {
  return CHECKS.find((check) => check.holds(enquiry)) ?? null
}

const LINE_OR_CONTROL = /[\p{Cc}\u2028\u2029]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0000 is what is looked for.
const NULL = /\u0000/g

const tidyName = (name: string) => name.toWellFormed().replace(LINE_OR_CONTROL, ' ').trim()

/** The enquiry as it is sent: trimmed, names on one line, nothing that the contract refuses. Never longer than typed. */
export function tidied(typed: Enquiry): Enquiry {
  return {
    first: tidyName(typed.first),
    last: tidyName(typed.last),
    email: typed.email.trim(),
    message: typed.message.toWellFormed().replace(NULL, ' ').trim(),
  }
}

/** Whether names are made of letters, marks, spaces and the usual signs. Nothing is refused for it. */
export function hasUsualNames({ first, last }: Enquiry): boolean {
  return /^[\p{L}\p{M}\p{Zs}.'’·-]*$/u.test(first + last)
}

export type Review = {
  readonly enquiry: Enquiry
  readonly problem: Problem | null
  readonly usualNames: boolean
}

/** Everything that is checked of a typed enquiry. Only `problem` keeps it from being sent. */
export function review(typed: Enquiry): Review {
  const enquiry = tidied(typed)
  return { enquiry, problem: firstProblem(enquiry), usualNames: hasUsualNames(enquiry) }
}

/** What the form ends in. The error catalogue of docs/behaviour.md, B61. */
export const ENQUIRY_MESSAGES: Record<EnquiryAnswer, { readonly tone: 'success' | 'error'; readonly text: string }> = {
  received: {
    tone: 'success',
    text: "Thank you for contacting us. We'll reach out to you soon on your query.",
  },
  declined: { tone: 'error', text: 'Oops! Something went wrong. Please try again, thank you!' },
  failed: { tone: 'error', text: 'Oops! Something went wrong. Please try again, thank you!' },
}
