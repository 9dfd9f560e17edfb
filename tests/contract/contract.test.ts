import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { browserDomainToAscii } from '../../src/adapters/browser.ts'
import { EMAIL_PATTERN } from '../../src/domain/email.ts'
import { ENQUIRY_FIELDS, MAX_LENGTH, validateEnquiry } from '../../src/domain/enquiry.ts'
import { isBlank } from '../../src/domain/typed-text.ts'
import { contract, documentedAnswers, operationOf } from '../support/contract/contract.ts'
import { anEnquiry, bodyOf } from '../support/enquiries.ts'
import { typedEnquiry } from '../support/typed-text.ts'

const ERRORS = [400, 403, 404, 405, 413, 415, 422, 429, 500, 503]

// That its examples are valid is held by the lint, that the page knows each by its name, by the mock's tests.
test.each(contract)(
  'the contract documents every refusal of $name as a problem that repeats its status',
  ({ name }) => {
    const answers = documentedAnswers.filter(({ operation }) => operation === name)
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([200, ...ERRORS])
    for (const { status, mediaType, value } of answers.filter(({ status }) => status !== 200)) {
      expect(mediaType).toBe('application/problem+json')
      expect(value).toMatchObject({ status })
    }
  },
)

test('the contract states the email pattern and the limits that the page holds', () => {
  const { email, ...limits } = MAX_LENGTH
  const { isRequest } = operationOf('contactUs')
  for (const [field, limit] of Object.entries(limits)) {
    const takes = (length: number) => isRequest(bodyOf(anEnquiry({ [field]: 'x'.repeat(length) })))
    expect([takes(limit), takes(limit + 1)], field).toEqual([true, false])
  }
  for (const { requestSchema } of contract)
    expect(requestSchema).toMatchObject({
      properties: { email: { pattern: EMAIL_PATTERN.source, maxLength: email } },
    })
})

// So a server that validates by the contract need not validate again.
test('the contract takes exactly what the form sends, but for texts that nobody sees', () => {
  const validated = fc
    .sample(typedEnquiry, 3000)
    .filter((typed) => ENQUIRY_FIELDS.every((field) => typed[field] === '' || !isBlank(typed[field])))
    .map((typed) => validateEnquiry(typed, browserDomainToAscii))
  const sent = validated.filter(({ error }) => error === null).map(({ enquiry }) => enquiry)
  expect(sent.length).toBeGreaterThan(300)
  const { isRequest, requestSchema } = operationOf('contactUs')
  expect(validated.filter(({ enquiry, error }) => isRequest(bodyOf(enquiry)) !== (error === null))).toEqual([])
  // Some backends have patterns without Unicode mode.
  const withoutUnicode = new Ajv2020({ strict: false, validateFormats: false, unicodeRegExp: false })
  const accepts = withoutUnicode.compile(requestSchema)
  expect(sent.filter((enquiry) => !accepts(bodyOf(enquiry)))).toEqual([])
})
