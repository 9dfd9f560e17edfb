import { INVISIBLE } from './typed-text.ts'
import { decodePercents } from './uri-decoding.ts'

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

// Full-width and small forms, and the ligatures of PDFs. All of NFKC would turn the footnote of 'a@b.co¹' into a digit.
const COMPATIBLE_FORMS = /[\uFB00-\uFB06\uFE50-\uFE6B\uFF01-\uFF5E]+/g

/** Quotes and brackets before an address; the same and punctuation behind it. */
const BEFORE = /^[\s"'“”„‚‘’«»‹›<([{]+/
const BEHIND = /[\s"'“”„‚‘’«»‹›>)\]}.,;:!?…。]+$/

/** A longer text, of which an address with a long link is the longest that somebody copies, is not searched. */
const MAX_MENDED_LENGTH = 2000

/**
 * The address that a visitor means: without a name, a link or signs around it, and with a domain in ASCII. A text that
 * is still no address is only trimmed, so that a typing error never becomes another address.
 */
export function mendEmail(typed: string, domainToAscii: DomainToAscii): string {
  const trimmed = typed.trim()
  if (isEmail(trimmed) || trimmed.length > MAX_MENDED_LENGTH) return trimmed
  const text = trimmed.replace(INVISIBLE, '').replace(COMPATIBLE_FORMS, (forms) => forms.normalize('NFKC'))
  const [, afterName = text] = /^[^@<>]*<([^<>]*)>[^\p{L}\p{N}]*$/u.exec(text) ?? []
  const [, inLink] = /^\s*mailto:([^?]*)/i.exec(afterName) ?? []
  const address = (inLink === undefined ? afterName : decodePercents(inLink)).replace(BEFORE, '').replace(BEHIND, '')
  const domain = address.slice(address.lastIndexOf('@') + 1)
  // Only letters, marks and digits: a browser would turn other signs into letters and digits of another domain.
  const isForeign = /^[\p{L}\p{M}\p{Nd}.。-]+$/u.test(domain) && /[^\0-\x7F]/.test(domain)
  const email = isForeign ? address.slice(0, -domain.length) + domainToAscii(domain) : address
  return isEmail(email) ? email : trimmed
}
