import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isEmail } from '../../src/domain/email.ts'
import { MAX_LENGTH, review } from '../../src/domain/enquiry.ts'
import { requestValidator } from '../support/contract.ts'

const VALIDATORS = [true, false].map((unicodeMode) => ({
  acceptsSubscription: requestValidator('subscribe', unicodeMode),
  acceptsEnquiry: requestValidator('contactUs', unicodeMode),
}))

/** What forms rarely meet: controls, every kind of white space and line break, halves of pairs, marks, other scripts. */
const rare = fc.constantFrom(
  ...['\u0000', '\u0007', '\u007F', '\u0085', '\t', '\n', '\r\n', '\u2028', '\u2029'],
  ...[' ', '\u00A0', '\u1680', '\u2003', '\u200B', '\u202F', '\u3000', '\uFEFF'],
  ...['\uD83D', '\uDE00', '😀', '👩‍🚒', '\u0301', '\u202E', 'é', 'ß', '名', 'اسم', 'नाम', "'", '’'],
)
const unit = fc.oneof(
  rare,
  fc.string({ maxLength: 3 }),
  fc.nat(0xffff).map((code) => String.fromCharCode(code)),
)
const typedText = (limit: number) =>
  fc
    .tuple(fc.array(unit, { maxLength: 8 }), fc.oneof(fc.constant(1), fc.constant(limit)))
    .map(([units, times]) => units.join('').repeat(times).slice(0, limit))

const letters = fc.constantFrom(..."abcXYZ019!#$%&'*+/=?^_`{|}~")
const label = fc.oneof(
  fc.stringMatching(/^[a-zA-Z0-9]{1,8}$/),
  fc.integer({ min: 60, max: 65 }).map((length) => 'a'.repeat(length)),
)
const address = fc
  .record({
    local: fc.oneof(
      fc.string({ unit: fc.oneof(letters, fc.constantFrom('.', '-')), minLength: 1, maxLength: 12 }),
      fc.integer({ min: 62, max: 66 }).map((length) => 'a'.repeat(length)),
    ),
    labels: fc.array(label, { minLength: 2, maxLength: 4 }),
  })
  .map(({ local, labels }) => `${local}@${labels.join('.')}`)

/** An address, or one with a single character put in, taken out or doubled. */
const nearlyAddress = fc.oneof(
  address,
  fc
    .tuple(
      address,
      fc.nat(),
      fc.oneof(fc.constantFrom('', '.', '-', '@', ' ', '"', '(', ',', 'é', '\n', '\u0000'), rare),
    )
    .map(([text, at, inserted]) => {
      const index = at % (text.length + 1)
      return inserted === ''
        ? text.slice(0, index) + text.slice(index + 1)
        : text.slice(0, index) + inserted + text.slice(index)
    }),
  fc
    .tuple(address, fc.nat())
    .map(([text, at]) => text.slice(0, at % text.length) + text.slice((at % text.length) >> 1)),
)

const padding = fc.constantFrom('', '', ' ', '\t', '\u00A0 ', '\uFEFF')
const typedEmail = fc.tuple(padding, fc.oneof(address, nearlyAddress), padding).map((parts) => parts.join(''))

test('the page and the contract accept the same 5,000 generated addresses', () => {
  const verdicts = { accepted: 0, refused: 0 }
  fc.assert(
    fc.property(nearlyAddress, (email) => {
      const accepted = isEmail(email)
      verdicts[accepted ? 'accepted' : 'refused'] += 1
      for (const { acceptsSubscription } of VALIDATORS) expect(acceptsSubscription({ email })).toBe(accepted)
    }),
    { numRuns: 5000 },
  )
  expect(verdicts.accepted).toBeGreaterThan(500)
  expect(verdicts.refused).toBeGreaterThan(500)
})

test('whatever passes the form passes the contract', () => {
  let passed = 0
  fc.assert(
    fc.property(
      fc.record({
        first: typedText(MAX_LENGTH.first),
        last: typedText(MAX_LENGTH.last),
        email: typedEmail.filter((text) => text.length <= MAX_LENGTH.email),
        message: typedText(MAX_LENGTH.message),
      }),
      (typed) => {
        const { enquiry, problem } = review(typed)
        if (problem) return
        passed += 1
        const body = { name: { first: enquiry.first, last: enquiry.last }, email: enquiry.email, msg: enquiry.message }
        for (const { acceptsEnquiry } of VALIDATORS) {
          acceptsEnquiry(body)
          expect(acceptsEnquiry.errors).toBe(null)
        }
      },
    ),
    { numRuns: 2000 },
  )
  expect(passed).toBeGreaterThan(400)
})

test('the page and the contract draw the same line at 254 characters, and at 64 before the @', () => {
  const domain = `${'a'.repeat(60)}.`.repeat(4)
  const emails = [
    [`${'a'.repeat(8)}@${domain}a`, true],
    [`${'a'.repeat(9)}@${domain}a`, false],
    [`${'a'.repeat(64)}@a.bc`, true],
    [`${'a'.repeat(65)}@a.bc`, false],
  ] as const
  for (const [email, accepted] of emails) {
    expect(isEmail(email)).toBe(accepted)
    for (const { acceptsSubscription } of VALIDATORS) expect(acceptsSubscription({ email })).toBe(accepted)
  }
})
