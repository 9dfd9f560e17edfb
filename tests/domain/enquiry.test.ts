import { expect, it } from 'vitest'
import { type TypedEnquiry, validateEnquiry } from '../../src/domain/enquiry.ts'
import { anEnquiry } from '../support/enquiries.ts'

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
  expect(validateEnquiry(anEnquiry(typed))).toMatchObject({ enquiry: anEnquiry(sent), error: null })
})

it.each([
  [true, ['Given', 'José', 'Jose\u0301', '李', 'Ελλάδα', 'Anna-Maria', "O'Neil de l’Aube Jr."]],
  [false, ['4nna', 'Family!', '👍', '<b>']],
])('the characters of a name are common, %s, and never an error: %j', (common, names) => {
  for (const name of names) {
    for (const field of ['first', 'last'])
      expect(validateEnquiry(anEnquiry({ [field]: name })), name).toMatchObject({ commonNames: common, error: null })
  }
})
