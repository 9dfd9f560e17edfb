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

test.each(documentedAnswers)('httpBackend understands the mock: $operation: $status $example', async (documented) => {
  const { operation, status, example } = documented
  const mock = await startMock(operations, { code: status, exampleKey: example })
  onTestFinished(() => mock.close())
  expect(await CALLS[operation]?.(backendAt(mock.origin))).toBe(status < 300 ? ANSWERS[example] : 'failed')
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
