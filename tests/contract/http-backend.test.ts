import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Mock, readOperations, startMock } from '../../dev/mock.ts'
import { MAX_LENGTH } from '../../src/domain/enquiry.ts'
import type { Backend, EnquiryAnswer, SubscribeAnswer } from '../../src/domain/ports.ts'
import { documentedAnswers } from '../support/contract/contract.ts'
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

const expectedOf = ({ status, example }: { status: number; example: string }) =>
  status < 300 ? ANSWERS[example] : 'failed'

async function startFor(...options: Parameters<typeof startMock>): Promise<string> {
  const mock = await startMock(...options)
  onTestFinished(() => mock.close())
  return mock.origin
}

describe('httpBackend understands the mock', () => {
  test.each(documentedAnswers)('$operation: $status $example', async (documented) => {
    const origin = await startFor(operations, { code: documented.status, exampleKey: documented.example })
    expect(await CALLS[documented.operation]?.(backendAt(origin))).toBe(expectedOf(documented))
  })
})

describe('the mock refuses', () => {
  let mock: Mock
  beforeAll(async () => {
    mock = await startMock(operations)
  })
  afterAll(() => mock.close())

  test('what breaks the contract', async () => {
    const backend = backendAt(mock.origin)
    expect(await backend.subscribe(' visitor@example.com')).toBe('failed')
    expect(await backend.sendEnquiry({ ...ENQUIRY, first: '' })).toBe('failed')
    expect(await backend.sendEnquiry({ ...ENQUIRY, last: 'a\u0007' })).toBe('failed')
    expect(await backend.sendEnquiry({ ...ENQUIRY, message: 'a'.repeat(MAX_LENGTH.message + 1) })).toBe('failed')
  })

  test('a call without X-XSRF-TOKEN or Idempotency-Key where a contract requires them; httpBackend sends both', async () => {
    const strict = structuredClone(operations)
    for (const header of strict.flatMap(({ request }) => request?.headers ?? [])) header.required = true
    const origin = await startFor(strict)

    const backend = backendAt(origin, 'XSRF-TOKEN=a%2Fb')
    expect(await backend.subscribe('visitor@example.com')).toBe('subscribed')
    expect(await backend.sendEnquiry(ENQUIRY)).toBe('received')
    expect(await backendAt(origin).sendEnquiry(ENQUIRY)).toBe('failed')
  })
})
