import { expect, it } from 'vitest'
import {
  charactersLeft,
  type EnquiryField,
  MAX_LENGTH,
  type TypedEnquiry,
  validateEnquiry,
} from '../../src/domain/enquiry.ts'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { anEnquiry } from '../support/enquiries.ts'

const validate = (fields: Partial<TypedEnquiry>) => validateEnquiry(anEnquiry(fields), (domain) => domain)

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
    { first: 'a\uD800', last: '\uDC00b', message: 'c\uD800d👍' },
    { first: 'a\uFFFD', last: '\uFFFDb', message: 'c\uFFFDd👍' },
  ],
])('an enquiry as it is sent %s', (_, typed, sent) => {
  expect(validate(typed)).toMatchObject({ enquiry: anEnquiry(sent), error: null })
})

it.each([
  [true, ['Given', 'José', 'Jose\u0301', '李', 'Ελλάδα', 'Anna-Maria', "O'Neil de l’Aube Jr."]],
  [false, ['4nna', 'Family!', '👍', '<b>']],
])('the characters of a name are common, %s, and never an error: %j', (common, names) => {
  for (const name of names) {
    for (const field of ['first', 'last'])
      expect(validate({ [field]: name }), name).toMatchObject({ commonNames: common, error: null })
  }
})

const NOTHING_TO_SEE = [
  '',
  ' \t\n',
  '\u00A0\u3000',
  '\u200B',
  '\u2800',
  '\u3164\uFFA0',
  '\uFEFF\u200E',
  '\u0000\u001F',
  '\u00AD\u2060',
]

it.each<[EnquiryField, string]>([
  ['first', VALIDATION_TEXT.noFirst],
  ['last', VALIDATION_TEXT.noLast],
  ['email', VALIDATION_TEXT.noEmail],
  ['message', VALIDATION_TEXT.noMessage],
])('a field in which nothing can be seen is empty: %s', (field, text) => {
  for (const blank of NOTHING_TO_SEE)
    expect(validate({ [field]: blank }).error, JSON.stringify(blank)).toEqual({ field, text })
})

it('a field in which something can be seen is not empty', () => {
  for (const first of ['a', '.', '\u200Ba', '李', '👍🏽', '👩‍🚒', '\uE000'])
    expect(validate({ first }).error, first).toBeNull()
})

it.each<[keyof typeof MAX_LENGTH, excess: number]>([
  ['first', 1],
  ['last', 2],
  ['message', 101],
])('a text that is too long has an error with the number: %s', (field, excess) => {
  const text = TEXT.charactersTooMany(excess)
  const typed = 'x'.repeat(MAX_LENGTH[field] + excess)
  expect(validate({ [field]: typed }).error).toEqual({ field, text })
  expect(
    validate({ [field]: `${typed.slice(excess)}   ` }).error,
    'white space around it counts for nothing',
  ).toBeNull()
})

it('an address that is too long is counted without what is mended', () => {
  const tooLong = `a@${`${'b'.repeat(60)}.`.repeat(5)}co`
  expect(validate({ email: `Ada <${tooLong}>` }).error).toEqual({
    field: 'email',
    text: TEXT.charactersTooMany(tooLong.length - 254),
  })
})

it('the count of the characters that are left is never negative', () => {
  expect([4799, 4800, 5000, 5101].map((length) => charactersLeft('message', 'x'.repeat(length)))).toEqual([
    null,
    200,
    0,
    0,
  ])
})
