import { expect, it } from 'vitest'
import { charactersLeft, MAX_LENGTH, mapFields, type TypedEnquiry, validateEnquiry } from '../../src/domain/enquiry.ts'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { anEnquiry } from '../support/enquiries.ts'

const validate = (fields: Partial<TypedEnquiry>) => validateEnquiry(anEnquiry(fields), (domain) => domain)

it.each<[string, typed: Partial<TypedEnquiry>, sent: Partial<TypedEnquiry>]>([
  [
    'is trimmed in every field',
    { first: ' a ', last: '\tb', email: '\u00A0c@d.ef\n', message: '\r\n f \uFEFF' },
    { first: 'a', last: 'b', email: 'c@d.ef', message: 'f' },
  ],
  [
    'has a space instead of a control character in a name',
    { first: 'a\u0000b\u001Fc\u007Fd\u0085' },
    { first: 'a b c d' },
  ],
  ['has names on one line', { first: 'a\nb\r\nc', last: 'd\u2028e\u2029f' }, { first: 'a b  c', last: 'd e f' }],
  ['keeps the lines of a message, but no U+0000', { message: 'a\n\n\tb\u0000c' }, { message: 'a\n\n\tb c' }],
  [
    'has the replacement character instead of a lone surrogate',
    { first: 'a\uD800', last: '\uDC00b', message: 'c\uD800d👍' },
    { first: 'a\uFFFD', last: '\uFFFDb', message: 'c\uFFFDd👍' },
  ],
])('a sent enquiry %s', (_, typed, sent) => {
  expect(validate(typed)).toMatchObject({ enquiry: anEnquiry(sent), error: null })
})

it.each([
  [true, ['Given', 'Jose\u0301', '李', 'Anna-Maria', "O'Neil de l’Aube Jr.", 'Gal·la']],
  [false, ['4nna', 'Family!', '👍']],
])('commonNames is %s for these names, and they cause no error', (commonNames, names) => {
  for (const name of names) {
    for (const field of ['first', 'last'])
      expect(validate({ [field]: name }), name).toMatchObject({ commonNames, error: null })
  }
})

it('errors appear in the order of the fields', () => {
  const steps: [fields: Partial<TypedEnquiry>, error: string][] = [
    [{}, VALIDATION_TEXT.noFirst],
    [{ first: 'Ada' }, VALIDATION_TEXT.noLast],
    [{ first: 'Ada', last: 'Lovelace' }, VALIDATION_TEXT.noEmail],
    [{ first: 'Ada', last: 'Lovelace', email: 'plain' }, VALIDATION_TEXT.invalidEmail],
    [{ first: 'Ada', last: 'Lovelace', email: 'ada@example.com' }, VALIDATION_TEXT.noMessage],
  ]
  const errors = steps.map(([fields]) => validate({ ...mapFields(() => ''), ...fields }).error?.text)
  expect(errors).toEqual(steps.map(([, error]) => error))
})

it.each([' \t\n', '\u00A0\u3000', '\u200B', '\u2800', '\u{1D159}', '\u3164', '\u0000\u001F', '\uFFF9'])(
  'a field without a visible character counts as empty: %j',
  (blank) => {
    expect(validate({ message: blank }).error).toEqual({ field: 'message', text: VALIDATION_TEXT.noMessage })
  },
)

it.each(['.', '\u200Ba', 'a\u2800', '李', '👩‍🚒', '\uE000'])(
  'a field with a visible character does not count as empty: %j',
  (first) => {
    expect(validate({ first }).error).toBeNull()
  },
)

it.each<[keyof typeof MAX_LENGTH, excess: number]>([
  ['first', 1],
  ['last', 2],
  ['message', 101],
])('the error of a long text says how many characters are too many: %s', (field, excess) => {
  const typed = 'x'.repeat(MAX_LENGTH[field] + excess)
  expect(validate({ [field]: `${typed}  ` }).error).toEqual({ field, text: TEXT.charactersTooMany(excess) })
  expect(validate({ [field]: typed.slice(excess) }).error).toBeNull()
})

it('the last 200 characters of a message are counted down to 0', () => {
  const counts = [4799, 4800, 5000, 5101].map((length) => charactersLeft('message', 'x'.repeat(length)))
  expect(counts).toEqual([null, 200, 0, 0])
  expect(charactersLeft('first', 'x'.repeat(5000))).toBeNull()
})
