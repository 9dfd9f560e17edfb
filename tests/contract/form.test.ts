import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isEmail } from '../../src/domain/email.ts'
import { review } from '../../src/domain/enquiry.ts'
import { operationOf, requestValidatorWithoutUnicode } from '../support/contract/contract.ts'
import { nearlyAddress, typedEnquiry } from '../support/typed-text.ts'

const VALIDATORS = [requestValidatorWithoutUnicode, (name: string) => operationOf(name).isRequest].map((of) => ({
  acceptsSubscription: of('subscribe'),
  acceptsEnquiry: of('contactUs'),
}))

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
    fc.property(typedEnquiry, (typed) => {
      const { enquiry, error } = review(typed)
      if (error) return
      passed += 1
      const body = { name: { first: enquiry.first, last: enquiry.last }, email: enquiry.email, msg: enquiry.message }
      for (const { acceptsEnquiry } of VALIDATORS) {
        acceptsEnquiry(body)
        expect(acceptsEnquiry.errors).toBe(null)
      }
    }),
    { numRuns: 2000 },
  )
  expect(passed).toBeGreaterThan(200)
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
