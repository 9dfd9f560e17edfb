import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ENQUIRY_FIELDS,
  type EnquiryError,
  isRequired,
  normalize,
  type TypedEnquiry,
  validateEnquiry,
} from '../../src/domain/enquiry.ts'
import { typedEnquiry } from '../support/typed-text.ts'
import { ENQUIRY as VALID } from '../support/visitors.ts'

const EMPTY: TypedEnquiry = { first: '', last: '', email: '', message: '' }
const LONE_SURROGATE = '\uD800'

it('every field is required', () => {
  expect(ENQUIRY_FIELDS.filter(isRequired)).toEqual(['first', 'last', 'email', 'message'])
})

describe('the first error of an enquiry', () => {
  it.each<[string, Partial<TypedEnquiry>, keyof TypedEnquiry, EnquiryError]>([
    ['nothing is filled in', EMPTY, 'first', 'noFirst'],
    ['all but the first name is empty', { ...EMPTY, first: 'Given' }, 'last', 'noLast'],
    ['the last name is white space', { last: ' \n ' }, 'last', 'noLast'],
    ['email and message are empty', { email: ' \t ', message: '' }, 'email', 'noEmail'],
    ['the email is none', { email: 'a@b', message: '' }, 'email', 'invalidEmail'],
    ['the message is empty', { message: '' }, 'message', 'noMessage'],
  ])('when %s', (_, change, field, code) => {
    expect(validateEnquiry({ ...VALID, ...change }).error).toEqual({ field, code })
  })

  it('is none when all is well, whatever characters names have', () => {
    expect(validateEnquiry({ ...VALID, first: ' 4nna ' })).toEqual({
      enquiry: { ...VALID, first: '4nna' },
      error: null,
      commonNames: false,
    })
  })
})

describe('a normalized enquiry', () => {
  it.each<[string, Partial<TypedEnquiry>, Partial<TypedEnquiry>]>([
    [
      'is trimmed in every field',
      { first: ' a ', last: '\tb', email: '\u00A0c@d.ef\n', message: '\r\n f \uFEFF' },
      { first: 'a', last: 'b', email: 'c@d.ef', message: 'f' },
    ],
    ['has a space for a control in a name', { first: 'a\u0000b\u001Fc\u007Fd\u0085' }, { first: 'a b c d' }],
    ['has names on one line', { first: 'a\nb\r\nc', last: 'd\u2028e\u2029f' }, { first: 'a b  c', last: 'd e f' }],
    ['keeps the lines of a message, but no U+0000', { message: 'a\n\n\tb\u0000c' }, { message: 'a\n\n\tb c' }],
    [
      'has the replacement character for a lone surrogate',
      { first: `a${LONE_SURROGATE}`, last: '\uDC00b', message: `c${LONE_SURROGATE}d👍` },
      { first: 'a\uFFFD', last: '\uFFFDb', message: 'c\uFFFDd👍' },
    ],
  ])('%s', (_, typed, sent) => {
    expect(normalize({ ...VALID, ...typed })).toEqual({ ...VALID, ...sent })
  })

  it('stays as it is when normalized again, and is never longer than typed', () => {
    fc.assert(
      fc.property(typedEnquiry, (typed) => {
        const sent = normalize(typed)
        expect(normalize(sent)).toEqual(sent)
        for (const field of ENQUIRY_FIELDS) expect((sent[field] ?? '').length).toBeLessThanOrEqual(typed[field].length)
      }),
    )
  })
})

it.each([
  [true, ['', 'Given', 'José', 'Jose\u0301', '李', 'Ελλάδα', 'Anna-Maria', "O'Neil de l’Aube Jr."]],
  [false, ['4nna', 'Family!', '👍', '<b>']],
])('the characters of a name are common, %s: %j', (common, names) => {
  for (const name of names) {
    for (const field of ['first', 'last'])
      expect(validateEnquiry({ ...VALID, [field]: name }).commonNames, name).toBe(common)
  }
})
