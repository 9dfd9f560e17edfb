import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import { FIELD_TEXTS } from '../../server/http/field-errors.ts'
import { createHandlers } from '../../server/http/handlers.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { enquiryBody } from '../support/server/post.ts'
import { expectProblem } from '../support/server/problem.ts'

// The contract check holds this server to every rule of the contract; here is what goes beyond.
const server = await buildTestApp()
afterAll(server.close)

const ENQUIRY = enquiryBody('Hello')

type Named = { errors: { pointer: string }[] }
const pointersIn = ({ errors }: Named) => errors.map(({ pointer }) => pointer).toSorted()

test('415 to a body in another coding names the one that is read', async () => {
  const answer = await server.post('/api/subscribe', '{}', { 'content-encoding': 'identity, gzip' })
  expect(expectProblem(answer, 415).detail).toContain('Content-Encoding')
  expect(answer.headers['accept-encoding']).toBe('identity')
})

test.each([
  [415, `{"email":"${'a'.repeat(70_000)}`, { 'content-type': 'text/plain' }],
  [413, `{"email":"${'a'.repeat(70_000)}`, {}],
  [400, '{', { 'x-xsrf-token': 'a'.repeat(4097) }],
  [422, '{}', { 'x-xsrf-token': 'a'.repeat(4097) }],
])('of several refusals %i comes first, with its title as phrase', async (status, body, headers) => {
  const answer = await server.post('/api/subscribe', body, headers)
  expect(answer.statusMessage).toBe(expectProblem(answer, status).title)
})

describe('422: names each field at fault', () => {
  test('of names that were sent an answer holds 20, each of 100 characters at most', async () => {
    const unknown = Array.from({ length: 50 }, (_, i) => [`${i}`.padEnd(300, '😀'), 1])
    const { errors } = expectProblem(await server.post('/api/subscribe', Object.fromEntries(unknown)), 422)
    expect(errors).toHaveLength(20)
    expect(errors).toContainEqual({ pointer: `/7${'😀'.repeat(99)}`, detail: 'is not a field of the contract' })
  })

  test('each field of the contract has a text', () => {
    const contract = parse(readFileSync('openapi.yaml', 'utf8'))
    type Schema = { $ref?: string; properties?: Record<string, Schema> }
    const resolve = ({ $ref, ...schema }: Schema): Schema =>
      $ref
        ? $ref
            .split('/')
            .slice(1)
            .reduce((part, name) => part[name], contract)
        : schema
    const pointers = (schema: Schema, at = ''): string[] => [
      at,
      ...Object.entries(resolve(schema).properties ?? {}).flatMap(([name, field]) => pointers(field, `${at}/${name}`)),
    ]
    const bodies = ['/api/subscribe', '/api/contact-us'].map((path) => contract.paths[path].post.requestBody.content)
    const known = bodies.flatMap((content) => pointers(content['application/json'].schema))
    expect(new Set(known)).toEqual(new Set(FIELD_TEXTS.keys()))
  })

  test.each<[string, object, string[]]>([
    ['/subscribe', { email: 'a@b..co' }, ['/email']],
    ['/contact-us', { ...ENQUIRY, name: { first: 'Given ', last: 'Fam\nily' } }, ['/name/first', '/name/last']],
    ['/contact-us', { ...ENQUIRY, msg: '' }, ['/msg']],
  ])('without the contract’s schemas in front, the domain refuses too: %s %j', async (url, payload, pointers) => {
    const handlers = createHandlers(server.store, { revealExisting: true })
    const app = fastify().post('/subscribe', handlers.subscribe).post('/contact-us', handlers.contactUs)
    expect(pointersIn(expectProblem(await app.inject({ method: 'POST', url, payload }), 422))).toEqual(pointers)
  })
})

test.each(['/api', '/api/:x(', '/api/%zz', '/%61pi/x'])('404: %s', async (url) => {
  expectProblem(await server.app.inject({ url }), 404)
  expectProblem(await server.post(url, '{malformed'), 404)
})

test('503 while nothing can be stored, with the time to come back', async () => {
  for (const method of ['addSubscriber', 'addEnquiry', 'checkReadiness'] as const) {
    vi.spyOn(server.store, method).mockResolvedValue('unavailable')
  }
  onTestFinished(() => void vi.restoreAllMocks())
  expectProblem(await server.post('/api/subscribe', { email: 'visitor@example.com' }), 503)
  expectProblem(await server.post('/api/contact-us', ENQUIRY), 503)
  expectProblem(await server.app.inject('/readyz'), 503)
})
