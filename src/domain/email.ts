import { decodePercents } from './percents.ts'
import { INVISIBLE } from './typed-text.ts'

/**
 * The domain of an email address in ASCII: 'bücher.example' becomes 'xn--bcher-kva.example'. A text that is no domain
 * is returned unchanged.
 */
export type DomainToAscii = (domain: string) => string

export const EMAIL_MAX_LENGTH = 254

/** The HTML standard's pattern, with at least one dot in the domain and at most 64 characters before the @. */
export const EMAIL_PATTERN =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** Whether a text is an email address, for both forms and the server. The time is linear in the length of the text. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX_LENGTH && EMAIL_PATTERN.test(text)
}

/**
 * The address that a visitor means by a pasted, dictated or typed text. A text that does not contain exactly one is only
 * trimmed, so that it stays invalid. docs/behaviour.md, 'Validation'.
 */
export function mendEmail(typed: string, domainToAscii: DomainToAscii): string {
  const trimmed = typed.trim()
  if (isEmail(trimmed)) return trimmed
  const text = STEPS.reduce((text, step) => step(text), typed)
  const local = text.slice(0, text.lastIndexOf('@') + 1)
  const domain = text.slice(local.length)
  const email = /^[\0-\x7F]*$/.test(domain) ? text : local + domainToAscii(domain)
  return isEmail(email) ? email : trimmed
}

/** Each step takes linear time. */
const STEPS: readonly ((text: string) => string)[] = [
  (text) => text.replace(INVISIBLE, '').replace(/：/g, ': ').replace(/\s+/g, ' '),
  // Full-width forms, small forms, and the ligatures of PDFs.
  (text) => text.replace(/[\uFB00-\uFB06\uFE50-\uFE6B\uFF01-\uFF5E]+/g, (forms) => forms.normalize('NFKC')),
  (text) => text.replace(/[。｡]/g, '.'),
  withoutMailto,
  withoutName,
  // A label ends with a colon and a space. Without the space it may be a part of the address, unless it contains 'mail'.
  (text) => text.replace(/^(?:[^@]*: |(?=[^@:]*mail)[^@:]*:)/i, ''),
  withoutSurroundings,
  (text) => text.replace(/[‘’]/g, "'").replace(/[‐‑–]/g, '-'),
  withoutInnerSpaces,
]

/** Replaces the links of RFC 6068 by their addresses. */
function withoutMailto(text: string): string {
  const link = /(?:mailto:[\s/]*)+([^?<>()[\]\s]*)(?:\?[^<>()[\]\s]*)?/gi
  return text.replace(link, (_, address) => decodePercents(address))
}

/** 'Name <address>' becomes 'address', with any bracket, unless the name is another address. */
function withoutName(text: string): string {
  const [, name = '', address = text] = /^(.*)[<([{]([^<>()[\]{}]*)[>)\]}][^\p{L}\p{Nd}<([{]*$/su.exec(text) ?? []
  const [first, second] = [name, address].map((part) => withoutSurroundings(part).toLowerCase())
  return name.includes('@') && first !== second ? text : address
}

/** Removes what can neither begin nor end an address, such as quotes and full stops; at the start also bullets. */
function withoutSurroundings(text: string): string {
  const begun = text.replace(/^(?:[^\p{L}\p{Nd}@] |[^\p{L}\p{Nd}.!#$%&'*+/=?^_`{|}~@-])+/u, '')
  const [, address = begun, end = ''] = /^(.*[\p{L}\p{M}\p{Nd}@])(.*)$/su.exec(begun) ?? []
  // An address may begin with an apostrophe or an asterisk, but not if the same sign closes it.
  const closing = new Set(end)
  return address.slice(address.split('').findIndex((sign) => !closing.has(sign)))
}

/** Removes spaces beside an @ or a full stop, but not after the number of a list, nor after a whole address. */
function withoutInnerSpaces(text: string): string {
  const joined = text.replace(/ (\.) ?| ?(@) ?/g, '$1$2')
  const [start = ''] = joined.split('. ', 1)
  return /^\d+$|@[^@]*\./.test(start) ? joined : joined.replace(/\. /g, '.')
}
