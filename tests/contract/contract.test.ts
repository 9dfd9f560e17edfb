import { expect, test } from 'vitest'
import { EMAIL_PATTERN } from '../../src/domain/email.ts'
import { MAX_LENGTH } from '../../src/domain/enquiry.ts'
import { contract, documentedAnswers, operationOf } from '../support/contract/contract.ts'

const ERRORS = [400, 403, 404, 405, 413, 415, 422, 429, 500, 503]

const examplesOf = (operation: string, status: number) =>
  documentedAnswers.filter((it) => it.operation === operation && it.status === status).map((it) => it.example)

// That its examples are valid is held by the lint.
test('the contract shows every outcome by a named example', () => {
  expect(contract.map(({ name }) => name)).toEqual(['subscribe', 'contactUs'])
  expect(examplesOf('subscribe', 200)).toEqual(['subscribed', 'already-subscribed', 'declined'])
  expect(examplesOf('contactUs', 200)).toEqual(['received', 'declined'])
})

test.each(contract)(
  'the contract documents every refusal of $name as a problem that repeats its status',
  ({ name, requestExamples }) => {
    const answers = documentedAnswers.filter(({ operation }) => operation === name)
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([200, ...ERRORS])
    for (const { status, mediaType, value } of answers.filter(({ status }) => status !== 200)) {
      expect(mediaType).toBe('application/problem+json')
      expect(value).toMatchObject({ status })
    }
    expect(requestExamples).not.toEqual([])
  },
)

test('the contract states the email pattern and the limits that the page holds', () => {
  const email = { pattern: EMAIL_PATTERN.source, maxLength: MAX_LENGTH.email }
  expect(operationOf('subscribe').requestSchema).toMatchObject({ properties: { email } })
  expect(operationOf('contactUs').requestSchema).toMatchObject({
    properties: {
      name: { properties: { first: { maxLength: MAX_LENGTH.first }, last: { maxLength: MAX_LENGTH.last } } },
      email,
      msg: { maxLength: MAX_LENGTH.message },
    },
  })
})
