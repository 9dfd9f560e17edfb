import fc, { type Arbitrary } from 'fast-check'
import { type EnquiryField, MAX_LENGTH, mapFields, type TypedEnquiry } from '../../src/domain/enquiry.ts'

/** Rare characters: controls, every kind of white space and line break, halves of pairs, marks, other scripts. */
const RARE =
  '\u0000\u0007\u007F\u0085\t\n\r\u2028\u2029 \u00A0\u1680\u2003\u200B\u202F\u3000\uFEFF\uD83D\u0301\u202Eé名اس’'
const character = fc.oneof(
  fc.constantFrom(...RARE.split(''), '\r\n', '👩‍🚒'),
  fc.string({ maxLength: 3 }),
  fc.nat(0xffff).map((code) => String.fromCharCode(code)),
)

/** Any text that an input with this `maxlength` can contain, from very short to the full length. */
const typedText = (limit: number): Arbitrary<string> =>
  fc
    .tuple(fc.array(character, { maxLength: 8 }), fc.constantFrom(1, limit))
    .map(([characters, times]) => characters.join('').repeat(times).slice(0, limit))

// A checkbox or a select has no limit: add a line with its values below.
const limits: Partial<Record<EnquiryField, number>> = MAX_LENGTH

/** Any texts that a visitor can type into the contact form. */
export const typedEnquiry: Arbitrary<TypedEnquiry> = fc.record({
  ...mapFields((field) => typedText(limits[field] ?? 1)),
  email: fc.oneof(
    fc.emailAddress().map((address) => `\u00A0 ${address}\t`),
    typedText(MAX_LENGTH.email),
  ),
})
