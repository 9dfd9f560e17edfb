import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EMAIL_MAX_LENGTH, EMAIL_PATTERN, isEmail } from '../../src/domain/email.ts'
import { WAIT_TIMEOUT } from '../support/timeouts.ts'

const label = (length: number) => 'a'.repeat(length)
const local = (length: number) => `${label(length)}@b.co`

/** An address of exactly `length` characters, every part of it within its own limit. */
const ofLength = (length: number) => {
  const labels = `${label(63)}.${label(63)}.${label(60)}.`
  return `${label(length - labels.length - 3)}@${labels}co`
}

describe('an email address', () => {
  it.each([
    ['is plain', 'visitor@example.com'],
    ['has a plus tag', 'visitor+news@example.com'],
    ['has an apostrophe', "o'neil@example.com"],
    ['is in upper case', 'VISITOR@EXAMPLE.COM'],
    ['is in mixed case', 'Visitor@Example.Com'],
    ['has sub-domains', 'a@mail.city.example.com'],
    ['is made of digits', '1@2.34'],
    ['has a hyphen within a label', 'a@b-c.de'],
    ['has hyphens in a row within a label', 'a@xn--bcher-kva.example'],
    ['has every sign that may stand before the @', ".!#$%&'*+/=?^_`{|}~-@b.co"],
    ['is as short as can be', 'a@b.c'],
    ['has 64 characters before the @', local(64)],
    ['has a label of 63 characters', `a@${label(63)}.co`],
    ['has 254 characters', ofLength(254)],
  ])('%s', (_, text) => {
    expect(isEmail(text)).toBe(true)
  })

  it.each([
    ['nothing', ''],
    ['a word', 'plain'],
    ['an @ alone', '@'],
    ['nothing after the @', 'a@'],
    ['nothing before the @', '@b.co'],
    ['a space before the @', 'a b@c.de'],
    ['a space after the @', 'a@b c.de'],
    ['a domain without a dot', 'a@b'],
    ['two @ in a row', 'a@@b.co'],
    ['two @', 'a@b@c.de'],
    ['two dots in a row in the domain', 'a@b..co'],
    ['a dot at the start of the domain', 'a@.b.co'],
    ['a dot at the end of the domain', 'a@b.co.'],
    ['a hyphen at the start of a label', 'a@-b.co'],
    ['a hyphen at the end of a label', 'a@b-.co'],
    ['a hyphen at the end of the last label', 'a@b.co-'],
    ['a space in front', ' a@b.co'],
    ['a space behind', 'a@b.co '],
    ['a line break behind', 'a@b.co\n'],
    ['a second line', 'a@b.co\nc@d.ef'],
    ['a NUL', 'a\u0000@b.co'],
    ['a comma', 'a,b@c.de'],
    ['a quoted part', '"a b"@c.de'],
    ['a name and angle brackets', 'A <a@b.co>'],
    ['a comment', 'a(b)@c.de'],
    ['an IP address in brackets', 'a@[127.0.0.1]'],
    ['an underscore in the domain', 'a@b_c.de'],
    ['a letter beyond ASCII before the @', 'é@b.co'],
    ['a letter beyond ASCII in the domain', 'a@bücher.example'],
    ['a sign that case folding would turn into a letter', 'a@\u212Aelvin.co'],
    ['a full-width @', 'a＠b.co'],
    ['65 characters before the @', local(65)],
    ['a label of 64 characters', `a@${label(64)}.co`],
    ['255 characters', ofLength(255)],
  ])('is not: %s', (_, text) => {
    expect(isEmail(text)).toBe(false)
  })

  it('is every common one within the limits', () => {
    fc.assert(
      fc.property(fc.emailAddress({ size: 'large' }), (text) => {
        expect(isEmail(text)).toBe(text.length <= EMAIL_MAX_LENGTH)
      }),
    )
  })
})

describe('the pattern takes time linear in the text', () => {
  /** Unlike the time limit of a test, this one ends a match that would take years. */
  const match = (text: string) =>
    runInNewContext('pattern.test(text)', { pattern: EMAIL_PATTERN, text }, { timeout: WAIT_TIMEOUT })

  it.each([
    ['letters', (n: number) => 'a'.repeat(n)],
    ['letters behind the @', (n: number) => `a@${'a'.repeat(n)}`],
    ['labels of one letter', (n: number) => `a@${'a.'.repeat(n / 2)}`],
    ['labels of one letter, then a hyphen', (n: number) => `a@${'a.'.repeat(n / 2)}-`],
    ['hyphens within a label', (n: number) => `a@a${'-'.repeat(n)}`],
    ['labels with a hyphen', (n: number) => `a@${'a-a.'.repeat(n / 4)}!`],
    ['labels of full length', (n: number) => `a@${`${'a'.repeat(63)}.`.repeat(n / 64)}!`],
    ['labels one letter too long', (n: number) => `a@${`${'a'.repeat(64)}.`.repeat(n / 65)}`],
    ['dots', (n: number) => '.'.repeat(n)],
    ['@ signs', (n: number) => '@'.repeat(n)],
    ['addresses in a row', (n: number) => 'a@b.co'.repeat(n / 6)],
  ])('up to 1 MB, where the square of it would take hours: %s', (_, ofSize) => {
    for (const size of [32, 1_000_000]) expect(match(ofSize(size))).toBe(false)
  })
})
