import { afterAll, expect, test } from 'vitest'
import { FIELD_TEXTS } from '../../server/http/field-errors.ts'
import { contract } from '../support/contract/contract.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { expectProblem } from '../support/server/problem.ts'

// The contract check holds this server to every rule of the contract; here is what goes beyond.
const server = await buildTestApp()
afterAll(server.close)

test('415 to a body in another coding names the one that is read', async () => {
  const answer = await server.post('/api/subscribe', '{}', { 'content-encoding': 'identity, gzip' })
  expect(expectProblem(answer, 415).detail).toContain('Content-Encoding')
  expect(answer.headers['accept-encoding']).toBe('identity')
})

test('of names that were sent a 422 holds 20, each of 100 characters at most', async () => {
  const unknown = Array.from({ length: 50 }, (_, i) => [`${i}`.padEnd(300, '😀'), 1])
  const answer = await server.post('/api/subscribe', Object.fromEntries(unknown))
  const { title, errors } = expectProblem(answer, 422)
  expect(errors).toHaveLength(20)
  expect(errors).toContainEqual({ pointer: `/7${'😀'.repeat(99)}`, detail: 'is not a field of the contract' })
  // Node has an older phrase.
  expect(answer.statusMessage).toBe(title)
})

test('each field of the contract has a text', () => {
  const pointers = contract.flatMap(({ objects, fields }) => [...objects, ...fields.map(({ pointer }) => pointer)])
  expect(new Set(pointers)).toEqual(new Set(FIELD_TEXTS.keys()))
})

test('what is posted to another path of the API is not read', async () => {
  for (const url of ['/api/:x(', '/%61pi/x']) expectProblem(await server.post(url, '{malformed'), 404)
})
