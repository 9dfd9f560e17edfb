import { expect, onTestFinished, test } from 'vitest'
import { readOperations, startMock } from '../../dev/mock.ts'
import type { Backend, EnquiryAnswer, SubscribeAnswer } from '../../src/domain/ports.ts'
import { documentedAnswers } from '../support/contract/contract.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { backendAt, ENQUIRY } from '../support/visitors.ts'

const operations = await readOperations()

const CALLS: Record<string, (backend: Backend) => Promise<SubscribeAnswer | EnquiryAnswer>> = {
  subscribe: (backend) => backend.subscribe('visitor@example.com'),
  contactUs: (backend) => backend.sendEnquiry(ENQUIRY),
}

/** What the page makes of each 2xx; of anything else it makes 'failed'. A new example is red until it stands here. */
const ANSWERS: Record<string, SubscribeAnswer | EnquiryAnswer> = {
  subscribed: 'subscribed',
  'already-subscribed': 'already-subscribed',
  received: 'received',
  declined: 'declined',
}

async function mockOrigin(...options: Parameters<typeof startMock>): Promise<string> {
  const mock = await startMock(...options)
  onTestFinished(() => mock.close())
  return mock.origin
}

test.each(documentedAnswers)('httpBackend understands the mock: $operation: $status $example', async (documented) => {
  const { operation, status, example } = documented
  const origin = await mockOrigin(operations, { code: status, exampleKey: example })
  expect(await CALLS[operation]?.(backendAt(origin))).toBe(status < 300 ? ANSWERS[example] : 'failed')
})

test('httpBackend sends X-XSRF-TOKEN and Idempotency-Key, which a contract may require, and the mock refuses without', async () => {
  const strict = structuredClone(operations)
  for (const header of strict.flatMap(({ request }) => request?.headers ?? [])) header.required = true
  const origin = await mockOrigin(strict)
  const backend = backendAt(origin, 'XSRF-TOKEN=a%2Fb')
  expect(await backend.subscribe('visitor@example.com')).toBe('subscribed')
  expect(await backend.sendEnquiry(ENQUIRY)).toBe('received')
  expect(await backendAt(origin).sendEnquiry(ENQUIRY)).toBe('failed')
})

test('httpBackend and the reference backend understand each other, also with an XSRF cookie', async () => {
  const server = await buildTestApp()
  onTestFinished(() => server.close())
  const backend = backendAt(await server.listen(), 'XSRF-TOKEN=a%2Fb')
  expect(await backend.subscribe('visitor@example.com')).toBe('subscribed')
  expect(await backend.subscribe('VISITOR@example.com')).toBe('already-subscribed')
  expect(await backend.subscribe('plain')).toBe('failed')
  expect(await backend.sendEnquiry(ENQUIRY)).toBe('received')
  expect(await backend.sendEnquiry(ENQUIRY)).toBe('received')
  expect(await backend.sendEnquiry({ ...ENQUIRY, last: '' })).toBe('failed')
})
