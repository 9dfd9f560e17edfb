import { INVISIBLE_CHARACTERS } from './typed-text.ts'
import { uriDecode } from './uri-decoding.ts'

/**
 * Converts the domain of an email address to ASCII: 'bücher.example' becomes 'xn--bcher-kva.example'. If the
 * text is no domain, returns it unchanged.
 */
export type DomainToAscii = (domain: string) => string

export const EMAIL_MAX_LENGTH = 254

/** The pattern of the HTML standard. In addition, the domain needs a dot, and at most 64 characters precede the @. */
export const EMAIL_PATTERN =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** Whether a text is an email address, for both forms and the server. Its time is linear in the length of the text. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX_LENGTH && EMAIL_PATTERN.test(text)
}

// Ligatures, which PDFs contain, small characters and full-width characters. Unicode's NFKC turns them into ASCII. For
// other characters NFKC is wrong: the footnote mark of 'a@b.co¹' would become the digit 1, and so another address.
const VARIANTS_OF_ASCII = /[\uFB00-\uFB06\uFE50-\uFE6B\uFF01-\uFF5E]+/g

// A copied text may have quotes and brackets before the address, and also punctuation after it.
const SIGNS_BEFORE = /^[\s"'“”„‚‘’«»‹›<([{]+/
const SIGNS_AFTER = /[\s"'“”„‚‘’«»‹›>)\]}.,;:!?…。]+$/

/** A longer text is only trimmed, because a search in it takes too long. Even an address in a long link is shorter. */
const MAX_CLEANED_LENGTH = 2000

/**
 * Returns the address that a visitor means: without a name, a `mailto:` link or signs around it, and with a domain in
 * ASCII. If the result is no address, returns the trimmed text, so that a typing error never becomes another address.
 */
export function cleanEmail(typed: string, domainToAscii: DomainToAscii): string {
  const trimmed = typed.trim()
  if (isEmail(trimmed) || trimmed.length > MAX_CLEANED_LENGTH) return trimmed
  const text = trimmed.replace(INVISIBLE_CHARACTERS, '').replace(VARIANTS_OF_ASCII, (found) => found.normalize('NFKC'))
  const [, afterName = text] = /^[^@<>]*<([^<>]*)>[^\p{L}\p{N}]*$/u.exec(text) ?? []
  const [, inLink] = /^\s*mailto:([^?]*)/i.exec(afterName) ?? []
  const withSigns = inLink === undefined ? afterName : uriDecode(inLink)
  const address = withSigns.replace(SIGNS_BEFORE, '').replace(SIGNS_AFTER, '')
  const domain = address.slice(address.lastIndexOf('@') + 1)
  // A domain with other signs is not converted: a browser would turn a sign such as ① into a digit of another domain.
  const isInternational = /^[\p{L}\p{M}\p{Nd}.。-]+$/u.test(domain) && /[^\0-\x7F]/.test(domain)
  const email = isInternational ? address.slice(0, -domain.length) + domainToAscii(domain) : address
  return isEmail(email) ? email : trimmed
}
