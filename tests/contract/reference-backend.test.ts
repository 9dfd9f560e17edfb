import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isEmail } from '../../src/domain/email.ts'
import { buildTestApp, type TestApp } from '../support/build-test-app.ts'
import { answerValidator, operationOf } from '../support/contract.ts'
import { DATABASES } from '../support/databases.ts'
import { nearlyAddress } from '../support/typed-text.ts'
import { backendAt, EMAILS, ENQUIRY, MESSAGES, NAMES } from '../support/visitors.ts'

describe.each(DATABASES)('on %s', (database) => {
  let server: TestApp
  let origin: string
  beforeAll(async () => {
    server = await buildTestApp({ database })
    origin = await server.listen()
  })
  afterAll(() => server.close())

  describe('httpBackend and the reference backend understand each other', () => {
    test.each(EMAILS)('the address %s is subscribed once, then already subscribed in any case', async (email) => {
      const backend = backendAt(origin)
      expect(await backend.subscribe(email)).toBe('subscribed')
      expect(await backend.subscribe(email)).toBe('already-subscribed')
      expect(await backend.subscribe(email.toUpperCase())).toBe('already-subscribed')
      expect(await backend.subscribe(email.toLowerCase())).toBe('already-subscribed')
    })

    test.each(NAMES)('an enquiry by the name %s is received', async (name) => {
      expect(await backendAt(origin).sendEnquiry({ ...ENQUIRY, first: name, last: name })).toBe('received')
    })

    test.each(MESSAGES)('a message of %s is received', async (_, message) => {
      expect(await backendAt(origin).sendEnquiry({ ...ENQUIRY, message })).toBe('received')
    })

    test('the same enquiry may be sent again, also with an XSRF cookie', async () => {
      const backend = backendAt(origin, 'XSRF-TOKEN=a%2Fb')
      expect(await backend.sendEnquiry(ENQUIRY)).toBe('received')
      expect(await backend.sendEnquiry(ENQUIRY)).toBe('received')
    })

    test('what breaks the contract has failed', async () => {
      expect(await backendAt(origin).subscribe('plain')).toBe('failed')
      expect(await backendAt(origin).sendEnquiry({ ...ENQUIRY, last: '' })).toBe('failed')
    })
  })

  const VALID = {
    subscribe: { email: 'visitor@example.net' },
    contactUs: { name: { first: 'Given', last: 'Family' }, email: 'visitor@example.net', msg: 'When?' },
  }

  const send = (path: string, body: string, headers = {}) =>
    fetch(origin + path, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body })

  async function expectAnswer(response: Response, operation: string, status: number) {
    expect(response.status).toBe(status)
    expect(response.headers.get('Content-Type')).toMatch(
      status === 200 ? /^application\/json\b/ : /^application\/problem\+json$/,
    )
    const body = await response.json()
    const isValid = answerValidator(operation, status)
    isValid(body)
    expect(isValid.errors).toBe(null)
    if (status !== 200) expect(body).toMatchObject({ status })
  }

  describe.each(['subscribe', 'contactUs'] as const)('the answers to %s are those of the contract:', (operation) => {
    const path = operationOf(operation).path
    const valid = JSON.stringify(VALID[operation])

    test.each<[status: number, to: string, body: string, headers?: Record<string, string>]>([
      [200, 'a valid body', valid],
      [200, 'a valid body that names its charset', valid, { 'Content-Type': 'application/json; charset=utf-8' }],
      [400, 'no body', ''],
      [400, 'half a body', valid.slice(0, -1)],
      [400, 'words', 'hello'],
      [413, 'a body over 64 KiB', JSON.stringify({ ...VALID[operation], more: 'a'.repeat(65_536) })],
      [415, 'plain text', valid, { 'Content-Type': 'text/plain' }],
      [415, 'a form', 'email=visitor%40example.net', { 'Content-Type': 'application/x-www-form-urlencoded' }],
      [422, 'null', 'null'],
      [422, 'an array', '[]'],
      [422, 'an empty object', '{}'],
      [422, 'one field too many', JSON.stringify({ ...VALID[operation], more: 1 })],
      [422, 'a number for a text', JSON.stringify({ ...VALID[operation], email: 1 })],
      [422, 'white space around a field', JSON.stringify({ ...VALID[operation], email: ' visitor@example.net' })],
      [422, 'an XSRF token that is too long', valid, { 'X-XSRF-TOKEN': 'a'.repeat(4097) }],
    ])('%i to %s', async (status, _, body, headers) => {
      await expectAnswer(await send(path, body, headers), operation, status)
    })
  })

  test('an Idempotency-Key stands for one enquiry: a repeat is received, another enquiry is 422', async () => {
    const headers = { 'Idempotency-Key': '0b9e5b0c-6f5d-4b7e-9d51-6d2f5a3f0c11' }
    const path = '/api/contact-us'
    await expectAnswer(await send(path, JSON.stringify(VALID.contactUs), headers), 'contactUs', 200)
    await expectAnswer(await send(path, JSON.stringify(VALID.contactUs), headers), 'contactUs', 200)
    const other = JSON.stringify({ ...VALID.contactUs, msg: 'Where?' })
    await expectAnswer(await send(path, other, headers), 'contactUs', 422)
    await expectAnswer(await send(path, other, { 'Idempotency-Key': 'none' }), 'contactUs', 422)
  })

  test('page and server accept the same 5,000 generated addresses', async () => {
    const verdicts = { accepted: 0, refused: 0 }
    const hundred = fc.array(nearlyAddress, { minLength: 100, maxLength: 100, size: 'max' })
    await fc.assert(
      fc.asyncProperty(hundred, async (emails) => {
        const answers = await Promise.all(emails.map((email) => server.post('/api/subscribe', { email })))
        for (const [index, { statusCode }] of answers.entries()) {
          const accepted = isEmail(emails[index] ?? '')
          verdicts[accepted ? 'accepted' : 'refused'] += 1
          expect(`${emails[index]} ${statusCode}`).toBe(`${emails[index]} ${accepted ? 200 : 422}`)
        }
      }),
      { numRuns: 50 },
    )
    expect(verdicts.accepted).toBeGreaterThan(500)
    expect(verdicts.refused).toBeGreaterThan(500)
  })
})
