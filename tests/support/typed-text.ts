import fc, { type Arbitrary } from 'fast-check'
import { MAX_LENGTH, type TypedEnquiry } from '../../src/domain/enquiry.ts'

/** What forms rarely meet: controls, every kind of white space and line break, halves of pairs, marks, other scripts. */
const rare = fc.constantFrom(
  ...['\u0000', '\u0007', '\u007F', '\u0085', '\t', '\n', '\r\n', '\u2028', '\u2029'],
  ...[' ', '\u00A0', '\u1680', '\u2003', '\u200B', '\u202F', '\u3000', '\uFEFF'],
  ...['\uD83D', '\uDE00', '😀', '👩‍🚒', '\u0301', '\u202E', 'é', 'ß', '名', 'اسم', 'नाम', "'", '’'],
)

const character = fc.oneof(
  rare,
  fc.string({ maxLength: 3 }),
  fc.nat(0xffff).map((code) => String.fromCharCode(code)),
)

/** Anything that an input of this `maxlength` can hold, as short and as long as it gets. */
const typedText = (limit: number): Arbitrary<string> =>
  fc
    .tuple(fc.array(character, { maxLength: 8 }), fc.constantFrom(1, limit))
    .map(([characters, times]) => characters.join('').repeat(times).slice(0, limit))

const runOf = (min: number, max: number) => fc.integer({ min, max }).map((length) => 'a'.repeat(length))

const address = fc
  .record({
    local: fc.oneof(fc.stringMatching(/^[a-cX-Z019.!#$%&'*+/=?^_`{|}~-]{1,12}$/), runOf(62, 65)),
    labels: fc.array(fc.oneof(fc.stringMatching(/^[a-zA-Z0-9]{1,8}$/), runOf(61, 64)), { minLength: 2, maxLength: 4 }),
  })
  .map(({ local, labels }) => `${local}@${labels.join('.')}`)

const oddity = fc.oneof(fc.constantFrom(...'.-@ "(,é'), rare)
const place = fc.double({ min: 0, max: 1, noNaN: true })

/** Addresses, and what is almost one: a character put in, a part left out or there twice. */
const nearlyAddress: Arbitrary<string> = fc.oneof(
  address,
  fc.tuple(address, place, oddity).map(([text, at, odd]) => {
    const index = Math.round(at * text.length)
    return text.slice(0, index) + odd + text.slice(index)
  }),
  fc.tuple(address, place, place).map(([text, one, other]) => {
    return text.slice(0, Math.round(one * text.length)) + text.slice(Math.round(other * text.length))
  }),
)

const padding = fc.constantFrom('', '', ' ', '\t', '\u00A0 ', '\uFEFF')

/** What a visitor can have typed into the contact form. */
export const typedEnquiry: Arbitrary<TypedEnquiry> = fc.record({
  first: typedText(MAX_LENGTH.first),
  last: typedText(MAX_LENGTH.last),
  email: fc
    .tuple(padding, fc.oneof(address, nearlyAddress), padding)
    .map((parts) => parts.join('').slice(0, MAX_LENGTH.email)),
  message: typedText(MAX_LENGTH.message),
})
