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

test('the page and the contract accept the same addresses', () => {
  const emails = fc.sample(nearlyAddress, 2000)
  const accepted = emails.filter(isEmail)
  for (const { acceptsSubscription } of VALIDATORS)
    expect(emails.filter((email) => acceptsSubscription({ email }))).toEqual(accepted)
  expect(accepted.length).toBeGreaterThan(200)
  expect(accepted.length).toBeLessThan(1800)
})

test('whatever passes the form passes the contract', () => {
  const reviews = fc.sample(typedEnquiry, 2000).map(review)
  const passed = reviews.filter(({ error }) => error === null).map(({ enquiry }) => enquiry)
  expect(passed.length).toBeGreaterThan(200)
  const bodies = passed.map(({ first, last, email, message }) => ({ name: { first, last }, email, msg: message }))
  for (const { acceptsEnquiry } of VALIDATORS) expect(bodies.filter((body) => !acceptsEnquiry(body))).toEqual([])
})
