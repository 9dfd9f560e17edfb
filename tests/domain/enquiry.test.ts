import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ENQUIRY_MESSAGES,
  type Enquiry,
  firstProblem,
  hasUsualNames,
  MAX_LENGTH,
  review,
  tidied,
} from '../../src/domain/enquiry.ts'

const VALID: Enquiry = { first: 'Given', last: 'Family', email: 'visitor@example.com', message: 'When?' }
const EMPTY: Enquiry = { first: '', last: '', email: '', message: '' }

const LONE_SURROGATE = '\uD800'

/** Texts rich in what tidying is about. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', 'é', '文', '👍', ' ', '\t', '\n', '\r\n', '\u0000', '\u001F', '\u007F', '\u0085'),
    fc.constantFrom('\u00A0', '\u2028', '\u2029', '\uFEFF', LONE_SURROGATE, '\uDC00'),
  ),
})
const typedEnquiry = fc.record({ first: text, last: text, email: fc.oneof(text, fc.emailAddress()), message: text })

describe('the first problem of an enquiry', () => {
  it.each<[string, Partial<Enquiry>, keyof Enquiry, string]>([
    ['nothing is filled in', EMPTY, 'first', 'Please enter first name'],
    ['the first name is empty', { first: '' }, 'first', 'Please enter first name'],
    ['all but the first name is empty', { ...EMPTY, first: 'Given' }, 'last', 'Please enter last name'],
    ['the last name is empty', { last: '' }, 'last', 'Please enter last name'],
    ['email and message are empty', { email: '', message: '' }, 'email', 'Please enter an email address'],
    ['the email is empty', { email: '' }, 'email', 'Please enter an email address'],
    ['the email is none', { email: 'plain' }, 'email', 'Please enter a valid email address'],
    [
      'the email is none and the message is empty',
      { email: 'a@b', message: '' },
      'email',
      'Please enter a valid email address',
    ],
    ['the message is empty', { message: '' }, 'message', 'Please enter a message'],
  ])('when %s', (_, change, field, told) => {
    expect(firstProblem({ ...VALID, ...change })).toMatchObject({ field, text: told })
  })

  it('is none when all is well', () => {
    expect(firstProblem(VALID)).toBeNull()
  })

  it('is none for names in any script', () => {
    expect(firstProblem({ ...VALID, first: '李', last: 'Ñ4!' })).toBeNull()
  })
})

describe('a tidied enquiry', () => {
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
    expect(tidied({ ...VALID, ...typed })).toEqual({ ...VALID, ...sent })
  })

  it('stays as it is when tidied again', () => {
    fc.assert(
      fc.property(typedEnquiry, (typed) => {
        expect(tidied(tidied(typed))).toEqual(tidied(typed))
      }),
    )
  })

  it('is never longer than typed', () => {
    fc.assert(
      fc.property(typedEnquiry, (typed) => {
        const sent = tidied(typed)
        for (const field of ['first', 'last', 'email', 'message'] as const) {
          expect(sent[field].length).toBeLessThanOrEqual(typed[field].length)
        }
      }),
    )
  })

  it('is well-formed, trimmed, and its names hold no control character', () => {
    fc.assert(
      fc.property(typedEnquiry, (typed) => {
        const { first, last, message } = tidied(typed)
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
  ])('is the usual one: %s', (_, first, last) => {
    expect(hasUsualNames({ ...VALID, first, last })).toBe(true)
  })

  it.each([
    ['digits', '4nna', 'Family'],
    ['signs in the last name', 'Given', 'Family!'],
    ['a picture', '👍', 'Family'],
    ['markup', '<b>', 'Family'],
  ])('is not the usual one: %s', (_, first, last) => {
    expect(hasUsualNames({ ...VALID, first, last })).toBe(false)
  })

  it('keeps nothing from being sent', () => {
    expect(review({ ...VALID, first: '4nna', last: '<b>' })).toMatchObject({ problem: null, usualNames: false })
  })
})

describe('a review', () => {
  it('tells the problem of the tidied enquiry: white space alone is empty', () => {
    expect(review({ ...VALID, last: ' \n ' }).problem?.text).toBe('Please enter last name')
    expect(review({ ...VALID, email: ' \t ' }).problem?.text).toBe('Please enter an email address')
  })

  it('gives what is to be sent', () => {
    expect(review({ ...VALID, first: ' Given ', email: ' visitor@example.com ' })).toEqual({
      enquiry: VALID,
      problem: null,
      usualNames: true,
    })
  })
})

it('a name takes 100 characters, an email 254 and a message 5,000', () => {
  expect(MAX_LENGTH).toEqual({ first: 100, last: 100, email: 254, message: 5000 })
})

it('an enquiry ends in these messages', () => {
  expect(ENQUIRY_MESSAGES).toEqual({
    received: {
      tone: 'success',
      text: "Thank you for contacting us. We'll reach out to you soon on your query.",
    },
    declined: { tone: 'error', text: 'Oops! Something went wrong. Please try again, thank you!' },
    failed: { tone: 'error', text: 'Oops! Something went wrong. Please try again, thank you!' },
  })
})
