import { expect, it } from 'vitest'
import type { Enquiry, FieldName } from '../../src/domain/enquiry-fields.ts'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { validateEnquiry } from '../../src/domain/validation.ts'
import { anEnquiry } from '../support/enquiries.ts'

const validate = (fields: Partial<Enquiry>) => validateEnquiry(anEnquiry(fields), (domain) => domain)

const LETTERS = { first: 'a', last: 'b', email: 'c@d.ef', message: 'f' }

it.each<[string, typed: Partial<Enquiry>, sent: Partial<Enquiry>]>([
  ['is trimmed', { first: ' a ', last: '\tb', email: '\u00A0c@d.ef\n', message: '\r\n f \uFEFF' }, LETTERS],
  [
    'has names on one line',
    { first: 'a\u0000b\u0085c\nd', last: 'd\u2028e\u2029f' },
    { first: 'a b c d', last: 'd e f' },
  ],
  ['keeps the lines of a message, but no U+0000', { message: 'a\n\n\tb\u0000c' }, { message: 'a\n\n\tb c' }],
  ['has no lone surrogate', { last: '\uDC00b', message: 'c\uD800d👍' }, { last: '\uFFFDb', message: 'c\uFFFDd👍' }],
])('a sent enquiry %s', (_, typed, sent) => {
  expect(validate(typed)).toMatchObject({ enquiry: anEnquiry(sent), error: null })
})

it.each([
  [true, ['Given', 'Jose\u0301', '李', 'Anna-Maria', "O'Neil de l’Aube Jr.", 'Gal·la']],
  [false, ['4nna', 'Family!', '👍']],
])('hasUsualNames is %s for some names, which cause no error', (hasUsualNames, names) => {
  for (const name of names) {
    for (const field of ['first', 'last'])
      expect(validate({ [field]: name }), name).toMatchObject({ hasUsualNames, error: null })
  }
})

it.each([
  [
    'without a visible character is missing',
    VALIDATION_TEXT.noMessage,
    ['\u00A0\u3000', '\u200B', '\u2800', '\u{1D159}', '\u3164', '\u0000\u001F', '\uFFF9'],
  ],
  ['with a visible character is accepted', undefined, ['.', '\u200Ba', 'a\u2800', '李', '👩‍🚒', '\uE000']],
])('a message %s', (_, error, messages) => {
  for (const message of messages) expect(validate({ message }).error?.text, JSON.stringify(message)).toBe(error)
})

it.each<[FieldName, limit: number]>([
  ['first', 100],
  ['last', 100],
  ['message', 5000],
])('the error of a long text says how many UTF-16 characters are too many: %s', (field, limit) => {
  const error = (length: number) => validate({ [field]: `${'😀'.repeat(length / 2)}  ` }).error
  expect([error(limit), error(limit + 2)]).toEqual([null, { field, text: TEXT.charactersTooMany(2) }])
})
