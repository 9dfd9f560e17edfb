import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isEmail } from '../../src/domain/email.ts'
import { buildTestApp, type TestApp } from '../support/server/build-test-app.ts'
import { nearlyAddress } from '../support/typed-text.ts'
import { backendAt, ENQUIRY } from '../support/visitors.ts'

let server: TestApp
let origin: string
beforeAll(async () => {
  server = await buildTestApp()
  origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => server.close())

test('httpBackend and the reference backend understand each other, also with an XSRF cookie', async () => {
  const backend = backendAt(origin, 'XSRF-TOKEN=a%2Fb')
  expect(await backend.subscribe('visitor@example.com')).toBe('subscribed')
  expect(await backend.subscribe('VISITOR@example.com')).toBe('already-subscribed')
  expect(await backend.subscribe('plain')).toBe('failed')
  expect(await backend.sendEnquiry(ENQUIRY)).toBe('received')
  expect(await backend.sendEnquiry(ENQUIRY)).toBe('received')
  expect(await backend.sendEnquiry({ ...ENQUIRY, last: '' })).toBe('failed')
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
