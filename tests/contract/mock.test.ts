import { afterAll, expect, test } from 'vitest'
import { readOperations, startMock } from '../../contract/mock/mock.ts'
import { contract, operationOf } from '../support/contract/contract.ts'

const mock = await startMock(await readOperations(), contract)
afterAll(() => mock.close())

const POST = { method: 'POST', headers: { 'Content-Type': 'application/json' } }

test.for<[what: string, status: number, path: string, init: RequestInit]>([
  ['a body that is not JSON', 400, '/api/subscribe', { ...POST, body: '{"email"' }],
  [
    'a body with a charset that is not JSON',
    400,
    '/api/subscribe',
    { ...POST, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: '{"email"' },
  ],
  ['a missing body', 400, '/api/contact-us', POST],
  ['an unknown path', 404, '/api/unknown', { ...POST, body: '{}' }],
  ['/api itself', 404, '/api', {}],
  ['another method', 405, '/api/subscribe', {}],
  ['another method with a query string', 405, '/api/contact-us?a=b', { method: 'DELETE' }],
])('the mock refuses %s as the contract says', async ([, status, path, init]) => {
  const response = await fetch(mock.origin + path, init)
  expect(response.status).toBe(status)
  const answer = { status, headers: Object.fromEntries(response.headers), body: await response.text() }
  expect(operationOf('subscribe').responses.get(status)?.differences(answer)).toEqual([])
})
