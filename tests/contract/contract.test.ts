import { describe, expect, test } from 'vitest'
import { EMAIL_PATTERN } from '../../src/domain/email.ts'
import { MAX_LENGTH } from '../../src/domain/enquiry.ts'
import { contract, documentedAnswers, operationOf } from '../support/contract/contract.ts'

const ERRORS = [400, 403, 404, 405, 413, 415, 422, 429, 500, 503]

const examplesOf = (operation: string, status: number) =>
  documentedAnswers.filter((it) => it.operation === operation && it.status === status).map((it) => it.example)

describe('the contract', () => {
  test('has the two operations', () => {
    expect(contract.map(({ name }) => name)).toEqual(['subscribe', 'contactUs'])
  })

  test('shows every outcome by a named example', () => {
    expect(examplesOf('subscribe', 200)).toEqual(['subscribed', 'already-subscribed', 'declined'])
    expect(examplesOf('contactUs', 200)).toEqual(['received', 'declined'])
  })

  describe.each(contract.map(({ name }) => name))('for %s', (operation) => {
    test.each(ERRORS)('documents %i as a problem that repeats the status', (status) => {
      const problems = documentedAnswers.filter((it) => it.operation === operation && it.status === status)
      expect(problems).not.toEqual([])
      for (const { mediaType, value } of problems) {
        expect(mediaType).toBe('application/problem+json')
        expect(value).toMatchObject({ status })
      }
    })

    test('documents no other status', () => {
      const statuses = documentedAnswers.filter((it) => it.operation === operation).map((it) => it.status)
      expect([...new Set(statuses)]).toEqual([200, ...ERRORS])
    })

    test('shows a request that is valid', () => {
      const { requestExamples, isRequest } = operationOf(operation)
      expect(requestExamples).not.toEqual([])
      for (const { value } of requestExamples) expect(value).toSatisfy(isRequest)
    })
  })

  test.each(documentedAnswers)('shows a valid $example ($operation, $status)', ({ isValid, value }) => {
    isValid(value)
    expect(isValid.errors).toBe(null)
  })

  test('states the email pattern and the limits that the page holds', () => {
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
})
