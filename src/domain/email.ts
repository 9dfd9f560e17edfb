import { decodePercents } from './percents.ts'
import type { DomainToAscii } from './ports.ts'
import { INVISIBLE } from './typed-text.ts'

export const EMAIL_MAX_LENGTH = 254

/** The HTML standard's pattern, with at least one dot in the domain and at most 64 characters before the @. */
export const EMAIL_PATTERN =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** Whether a text is an email address, for both forms and the server. The time is linear in the length of the text. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX_LENGTH && EMAIL_PATTERN.test(text)
}

/** 'Name <address>' or '<address>', as mail programs copy an address, also with the comma of a list. */
const IN_BRACKETS = /^[^<>]*<([^<>]*)>[\s,;]*$/

/** The address of a mailto link (RFC 6068), without the question mark and the text after it. */
const MAILTO = /^mailto:([^?]*)/i

/**
 * The address that a visitor means by a pasted or typed text: 'Ada <mailto:ada＠example．com>' becomes
 * 'ada@example.com'. A text without an address stays invalid. docs/behaviour.md, 'Validation'.
 */
export function mendEmail(typed: string, domainToAscii: DomainToAscii): string {
  const text = withoutMailto(inPlainCharacters(typed))
  const [, address = text] = IN_BRACKETS.exec(text) ?? []
  const email = withoutMailto(address.trim())
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return /^[\0-\x7F]*$/.test(domain) ? email : email.slice(0, -domain.length) + domainToAscii(domain)
}

const FULL_WIDTH = /[\uFF01-\uFF5E]/g
/** From each full-width character of Unicode to its ASCII form. */
const FULL_WIDTH_OFFSET = 0xfee0

const inPlainCharacters = (text: string) =>
  text
    .replace(INVISIBLE, '')
    .replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET))
    .replace(/[。｡]/g, '.')
    .trim()

function withoutMailto(text: string): string {
  const [, encoded] = MAILTO.exec(text) ?? []
  return encoded === undefined ? text : inPlainCharacters(decodePercents(encoded))
}
