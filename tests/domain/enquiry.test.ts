import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Enquiry,
  firstError,
  hasCommonNameCharacters,
  MAX_LENGTH,
  normalize,
  review,
} from '../../src/domain/enquiry.ts'
import { VALIDATION_TEXT } from '../../src/domain/texts.ts'

const VALID: Enquiry = { first: 'Given', last: 'Family', email: 'visitor@example.com', message: 'When?' }
const EMPTY: Enquiry = { first: '', last: '', email: '', message: '' }

const LONE_SURROGATE = '\uD800'

/** Texts rich in what normalizing is about. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', 'é', '文', '👍', ' ', '\t', '\n', '\r\n', '\u0000', '\u001F', '\u007F', '\u0085'),
    fc.constantFrom('\u00A0', '\u2028', '\u2029', '\uFEFF', LONE_SURROGATE, '\uDC00'),
  ),
})
const typedEnquiry = fc.record({ first: text, last: text, email: fc.oneof(text, fc.emailAddress()), message: text })

describe('the first error of an enquiry', () => {
  it.each<[string, Partial<Enquiry>, keyof Enquiry, string]>([
    ['nothing is filled in', EMPTY, 'first', VALIDATION_TEXT.noFirst],
    ['the first name is empty', { first: '' }, 'first', VALIDATION_TEXT.noFirst],
    ['all but the first name is empty', { ...EMPTY, first: 'Given' }, 'last', VALIDATION_TEXT.noLast],
    ['the last name is empty', { last: '' }, 'last', VALIDATION_TEXT.noLast],
    ['email and message are empty', { email: '', message: '' }, 'email', VALIDATION_TEXT.noEmail],
    ['the email is empty', { email: '' }, 'email', VALIDATION_TEXT.noEmail],
    ['the email is none', { email: 'plain' }, 'email', VALIDATION_TEXT.invalidEmail],
    [
      'the email is none and the message is empty',
      { email: 'a@b', message: '' },
      'email',
      VALIDATION_TEXT.invalidEmail,
    ],
    ['the message is empty', { message: '' }, 'message', VALIDATION_TEXT.noMessage],
  ])('when %s', (_, change, field, told) => {
    expect(firstError({ ...VALID, ...change })).toMatchObject({ field, text: told })
  })

  it('is none when all is well', () => {
    expect(firstError(VALID)).toBeNull()
  })
})

describe('a normalized enquiry', () => {
  it.each<[string, Partial<Enquiry>, Partial<Enquiry>]>([
    [
      'is trimmed in every field',
      { first: ' a ', last: '\tb', email: '\u00A0c@d.ef\n', message: '\r\n f \uFEFF' },
      { first: 'a', last: 'b', email: 'c@d.ef', message: 'f' },
    ],
    [
      'has a space for every control character in a name',
      { first: 'a\u0000b\u001Fc\u007Fd\u0085e' },
      { first: 'a b c d e' },
    ],
    ['has names on one line', { first: 'a\nb\r\nc', last: 'd\u2028e\u2029f' }, { first: 'a b  c', last: 'd e f' }],
    ['has no control characters at the ends of a name', { last: '\u0001Family\u0085' }, { last: 'Family' }],
    ['keeps the lines and tabs of a message', { message: 'a\n\n\tb' }, { message: 'a\n\n\tb' }],
    ['has a space for U+0000 in a message', { message: 'a\u0000b' }, { message: 'a b' }],
    [
      'has the replacement character for a lone surrogate',
      { first: `a${LONE_SURROGATE}`, last: '\uDC00b', message: `c${LONE_SURROGATE}d` },
      { first: 'a\uFFFD', last: '\uFFFDb', message: 'c\uFFFDd' },
    ],
    ['keeps characters beyond the basic plane', { first: '👍', message: '👍' }, { first: '👍', message: '👍' }],
    ['is empty where only white space was typed', { first: ' \t', message: '\n \u0000' }, { first: '', message: '' }],
  ])('%s', (_, typed, sent) => {
    expect(normalize({ ...VALID, ...typed })).toEqual({ ...VALID, ...sent })
  })

  it('stays as it is when normalized again', () => {
    fc.assert(
      fc.property(typedEnquiry, (typed) => {
        expect(normalize(normalize(typed))).toEqual(normalize(typed))
      }),
    )
  })

  it('is never longer than typed', () => {
    fc.assert(
      fc.property(typedEnquiry, (typed) => {
        const sent = normalize(typed)
        for (const field of ['first', 'last', 'email', 'message'] as const) {
          expect(sent[field].length).toBeLessThanOrEqual(typed[field].length)
        }
      }),
    )
  })

  it('is well-formed, trimmed, and its names hold no control character', () => {
    fc.assert(
      fc.property(typedEnquiry, (typed) => {
        const { first, last, message } = normalize(typed)
        for (const field of [first, last, message]) {
          expect(field.isWellFormed()).toBe(true)
          expect(field).toBe(field.trim())
          expect(field).not.toContain('\u0000')
        }
        expect(first + last).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      }),
    )
  })
})

describe('the character set of names', () => {
  it.each([
    ['letters', 'Given', 'Family'],
    ['accents', 'José', 'Müller'],
    ['accents as marks of their own', 'Jose\u0301', 'Family'],
    ['any script', '李', 'Ελλάδα'],
    ['hyphens, apostrophes, dots and spaces', 'Anna-Maria', "O'Neil de l’Aube Jr."],
    ['nothing', '', ''],
  ])('is common: %s', (_, first, last) => {
    expect(hasCommonNameCharacters({ ...VALID, first, last })).toBe(true)
  })

  it.each([
    ['digits', '4nna', 'Family'],
    ['signs in the last name', 'Given', 'Family!'],
    ['a picture', '👍', 'Family'],
    ['markup', '<b>', 'Family'],
  ])('is not common: %s', (_, first, last) => {
    expect(hasCommonNameCharacters({ ...VALID, first, last })).toBe(false)
  })

  it('keeps nothing from being sent', () => {
    expect(review({ ...VALID, first: '4nna', last: '<b>' })).toMatchObject({ error: null, commonNames: false })
  })
})

describe('a review', () => {
  it('tells the error of the normalized enquiry: white space alone is empty', () => {
    expect(review({ ...VALID, last: ' \n ' }).error?.text).toBe(VALIDATION_TEXT.noLast)
    expect(review({ ...VALID, email: ' \t ' }).error?.text).toBe(VALIDATION_TEXT.noEmail)
  })

  it('gives what is to be sent', () => {
    expect(review({ ...VALID, first: ' Given ', email: ' visitor@example.com ' })).toEqual({
      enquiry: VALID,
      error: null,
      commonNames: true,
    })
  })
})

it('a name takes 100 characters, an email 254 and a message 5,000', () => {
  expect(MAX_LENGTH).toEqual({ first: 100, last: 100, email: 254, message: 5000 })
})
