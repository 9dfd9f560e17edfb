import fastify from 'fastify'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { createHandlers } from '../../server/http/handlers.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { expectProblem } from '../support/server/problem.ts'

// The contract check holds this server to every rule of the contract, on both databases; here is what goes beyond.
const server = await buildTestApp()
afterAll(server.close)

const NAME = { first: 'Given', last: 'Family' }
const ENQUIRY = { name: NAME, email: 'visitor@example.com', msg: 'Hello' }

type Named = { errors: { pointer: string }[] }
const pointersIn = ({ errors }: Named) => errors.map(({ pointer }) => pointer).toSorted()

test.each(['text/json', 'application/json, text/plain', 'application/json; charset=""', ''])(
  '415: a body of type "%s"',
  async (type) => {
    expectProblem(await server.post('/api/contact-us', ENQUIRY, { 'content-type': type }), 415)
  },
)

test('415: a body in another coding, while identity is read', async () => {
  const send = (coding: string) => server.post('/api/subscribe', '{}', { 'content-encoding': coding })
  const answer = await send('identity, gzip')
  expect(expectProblem(answer, 415).detail).toContain('Content-Encoding')
  expect(answer.headers['accept-encoding']).toBe('identity')
  expectProblem(await send('Identity'), 422)
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
  test.each<[string, unknown, string[]]>([
    ['a text', '"x"', ['']],
    ['nothing in it', {}, ['/email', '/msg', '/name']],
    ['no names', { ...ENQUIRY, name: {} }, ['/name/first', '/name/last']],
    ['a middle name', { ...ENQUIRY, name: { ...NAME, middle: 'M' } }, ['/name/middle']],
    ['a number for a text', { ...ENQUIRY, msg: 1 }, ['/msg']],
    ['one that breaks several rules', { ...ENQUIRY, email: 'a'.repeat(300) }, ['/email']],
    ['a __proto__', `{"__proto__":{"x":1},${JSON.stringify(ENQUIRY).slice(1)}`, ['/__proto__']],
    ['a name with the signs of a pointer', { ...ENQUIRY, 'a/b~c': 1 }, ['/a~1b~0c']],
  ])('%s', async (_, body, pointers) => {
    expect(pointersIn(expectProblem(await server.post('/api/contact-us', body), 422))).toEqual(pointers)
    expect({}).not.toHaveProperty('x')
  })

  test.each([
    ['X-XSRF-TOKEN', 'a'.repeat(4097), 'must have at most 4096 characters'],
    ['Idempotency-Key', 'x', 'must be a UUID'],
  ])('%s is named as a header at fault', async (header, value, detail) => {
    const answer = await server.post('/api/contact-us', ENQUIRY, { [header]: value })
    expect(expectProblem(answer, 422).errors).toEqual([{ header, detail }])
  })

  test('no value that was sent comes back', async () => {
    const name = { first: ' marker', last: 'marker\n', middle: 'marker' }
    const answer = await server.post('/api/contact-us', { name, email: 'marker', msg: ' marker', extra: 'marker' })
    expectProblem(answer, 422)
    expect(answer.body).not.toContain('marker')
  })

  test('of names that were sent an answer holds 20, each of 100 characters at most', async () => {
    const unknown = Array.from({ length: 50 }, (_, i) => [`${i}`.padEnd(300, '😀'), 1])
    const { errors } = expectProblem(await server.post('/api/subscribe', Object.fromEntries(unknown)), 422)
    expect(errors).toHaveLength(20)
    expect(errors).toContainEqual({ pointer: `/7${'😀'.repeat(99)}`, detail: 'is not a field of the contract' })
  })

  test.each<[string, object, string[]]>([
    ['/subscribe', { email: 'a@b..co' }, ['/email']],
    ['/contact-us', { ...ENQUIRY, name: { first: 'Given ', last: 'Fam\nily' } }, ['/name/first', '/name/last']],
    ['/contact-us', { ...ENQUIRY, email: 'plain' }, ['/email']],
    ['/contact-us', { ...ENQUIRY, msg: '' }, ['/msg']],
  ])('without the contract’s schemas in front, the domain refuses too: %s %j', async (url, payload, pointers) => {
    const store = { addSubscriber: vi.fn(), addEnquiry: vi.fn(), checkReadiness: vi.fn(), waiting: vi.fn() }
    const handlers = createHandlers({ ...store, close: async () => {} }, { revealExisting: true })
    const app = fastify().post('/subscribe', handlers.subscribe).post('/contact-us', handlers.contactUs)
    expect(pointersIn(expectProblem(await app.inject({ method: 'POST', url, payload }), 422))).toEqual(pointers)
    expect([store.addSubscriber.mock.calls, store.addEnquiry.mock.calls]).toEqual([[], []])
  })
})

// The contract check has the plain ones.
test.each(['/api', '/api/:x(', '/api/%zz', '/%61pi/x'])('404: %s', async (url) => {
  expectProblem(await server.app.inject({ url }), 404)
  expectProblem(await server.post(url, '{malformed'), 404)
})

test('405 comes before anything is read, also where the path is encoded', async () => {
  const answer = await server.app.inject({ method: 'PUT', url: '/%61pi/%73ubscribe?x#x', payload: '{malformed' })
  expectProblem(answer, 405)
  expect(answer.headers.allow).toBe('POST')
})

test('what is refused is not stored', async () => {
  expect([await server.rows('subscribers'), await server.rows('enquiries')]).toEqual([[], []])
})
