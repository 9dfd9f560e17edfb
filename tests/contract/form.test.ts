import fc from 'fast-check'
import { expect, test } from 'vitest'
import { review } from '../../src/domain/enquiry.ts'
import { operationOf, requestValidatorWithoutUnicode } from '../support/contract/contract.ts'
import { typedEnquiry } from '../support/typed-text.ts'

test('whatever passes the form passes the contract', () => {
  const reviews = fc.sample(typedEnquiry, 2000).map(review)
  const passed = reviews.filter(({ error }) => error === null).map(({ enquiry }) => enquiry)
  expect(passed.length).toBeGreaterThan(200)
  const bodies = passed.map(({ first, last, email, message }) => ({ name: { first, last }, email, msg: message }))
  for (const accepts of [operationOf('contactUs').isRequest, requestValidatorWithoutUnicode('contactUs')])
    expect(bodies.filter((body) => !accepts(body))).toEqual([])
})
