import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../support/server/build-test-app.ts'
import { readTable } from '../support/server/databases.ts'
import { expectProblem } from '../support/server/problem.ts'

let server: TestApp
beforeAll(async () => {
  server = await buildTestApp()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.db.run((db) => db.deleteFrom('subscribers').execute())
  await server.db.run((db) => db.deleteFrom('enquiries').execute())
})
afterEach(() => {
  expect(readTable(server.databaseFile, 'subscribers')).toEqual([])
  expect(readTable(server.databaseFile, 'enquiries')).toEqual([])
})

const VALID = '{"email":"visitor@example.com"}'

// The contract check holds this server to every other rule of the contract, on both databases.
test.each([
  'text/json',
  'application/problem+json',
  'application/json, text/plain',
  'application/json; charset=""',
  '',
])('415: a body of type "%s"', async (type) => {
  expectProblem(await server.post('/api/subscribe', VALID, { 'content-type': type }), 415)
})

test.each(['gzip', 'br', 'identity, gzip', 'unknown'])(
  '415: a body in %s, while identity is read',
  async (encoding) => {
    const send = (coding: string) => server.post('/api/subscribe', '{}', { 'content-encoding': coding })
    const answer = await send(encoding)
    expect(expectProblem(answer, 415).detail).toContain('Content-Encoding')
    expect(answer.headers['accept-encoding']).toBe('identity')
    expectProblem(await send('Identity'), 422)
  },
)

test('of several refusals 415 comes first, then 413, 400 and 422', async () => {
  const long = `{"email":"${'a'.repeat(70_000)}`
  expectProblem(await server.post('/api/subscribe', long, { 'content-type': 'text/plain' }), 415)
  expectProblem(await server.post('/api/subscribe', long), 413)
  const wrongHeader = { 'x-xsrf-token': 'a'.repeat(4097) }
  expectProblem(await server.post('/api/subscribe', '{', wrongHeader), 400)
  expectProblem(await server.post('/api/subscribe', '{}', wrongHeader), 422)
})

test('the phrase of an answer is the title of its problem', async () => {
  for (const [body, status] of [
    ['{}', 422],
    ['a'.repeat(70_000), 413],
    ['{', 400],
  ] as const) {
    const answer = await server.post('/api/subscribe', body)
    expect(answer.statusMessage).toBe(expectProblem(answer, status).title)
  }
})

const NAME = { first: 'Given', last: 'Family' }
const ENQUIRY = { name: NAME, email: 'visitor@example.com', msg: 'Hello' }

describe('422: names each field at fault', () => {
  test.each<[string, unknown, string[]]>([
    ['a text', '"x"', ['']],
    ['nothing in it', {}, ['/email']],
    ['no address', { email: 'plain' }, ['/email']],
    ['a list with an address', { email: ['visitor@example.com'] }, ['/email']],
    ['a constructor', { email: 'visitor@example.com', constructor: 1 }, ['/constructor']],
    ['one field more and no address', { email: 'plain', extra: 1 }, ['/extra', '/email']],
    ['a name with the signs of a pointer', { email: 'visitor@example.com', 'a/b~c': 1 }, ['/a~1b~0c']],
    ['a __proto__', '{"email":"visitor@example.com","__proto__":{"x":1}}', ['/__proto__']],
    ['a __proto__ with what is asked for', '{"__proto__":{"email":"visitor@example.com"}}', ['/__proto__', '/email']],
    ['a constructor with a prototype', '{"email":"a@b.co","constructor":{"prototype":{"x":1}}}', ['/constructor']],
  ])('subscribe: %s', async (_, body, pointers) => {
    const { errors } = expectProblem(await server.post('/api/subscribe', body), 422)
    expect(errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(expect.arrayContaining(pointers))
    expect(errors).toHaveLength(pointers.length)
    expect({}).not.toHaveProperty('x')
  })

  test.each<[string, unknown, string[]]>([
    ['nothing in it', {}, ['/name', '/email', '/msg']],
    ['no names', { ...ENQUIRY, name: {} }, ['/name/first', '/name/last']],
    [
      'empty fields',
      { name: { first: '', last: '' }, email: '', msg: '' },
      ['/name/first', '/name/last', '/email', '/msg'],
    ],
    ['a name of one text', { ...ENQUIRY, name: 'Given Family' }, ['/name']],
    ['a middle name', { ...ENQUIRY, name: { ...NAME, middle: 'M' } }, ['/name/middle']],
    ['a line break in a name', { ...ENQUIRY, name: { ...NAME, first: 'a\nb' } }, ['/name/first']],
  ])('contact-us: %s', async (_, body, pointers) => {
    const { errors } = expectProblem(await server.post('/api/contact-us', body), 422)
    expect(errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual(pointers.toSorted())
  })

  test.each([
    ['X-XSRF-TOKEN', 'a'.repeat(4097), 'must have at most 4096 characters'],
    ['Idempotency-Key', 'x', 'must be a UUID'],
  ])('%s is named as a header at fault', async (header, value, detail) => {
    const answer = await server.post('/api/contact-us', ENQUIRY, { [header]: value })
    expect(expectProblem(answer, 422).errors).toEqual([{ header, detail }])
  })

  test('no value that was sent comes back', async () => {
    const answer = await server.post('/api/contact-us', {
      ...ENQUIRY,
      email: 'marker',
      msg: ' marker',
      name: { first: ' marker', last: 'marker\n', middle: 'marker' },
      extra: 'marker',
    })
    expectProblem(answer, 422)
    expect(answer.body).not.toContain('marker')
  })

  test('of names that were sent an answer holds 20, each of 100 characters at most', async () => {
    const unknown = Array.from({ length: 50 }, (_, i) => [`${i}`.padEnd(300, '😀'), 1])
    const { errors } = expectProblem(await server.post('/api/subscribe', Object.fromEntries(unknown)), 422)
    expect(errors).toHaveLength(20)
    expect(errors).toContainEqual({ pointer: `/7${'😀'.repeat(99)}`, detail: 'is not a field of the contract' })
  })
})

describe('paths and methods that the contract does not have', () => {
  test.each(['/api', '/api/', '/api/x', '/api/subscribe/', '/api/subscribe/x', '/api/:x(', '/api/%zz', '/%61pi/x'])(
    '404: %s, whatever the method',
    async (url) => {
      for (const method of ['GET', 'POST', 'DELETE'] as const) {
        expectProblem(await server.app.inject({ method, url }), 404)
      }
      expectProblem(await server.post(url, '{malformed'), 404)
    },
  )

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)('405: %s, Allow: POST', async (method) => {
    for (const url of ['/api/subscribe', '/api/contact-us?x=1', '/api/%73ubscribe', '/%61pi/subscribe#x']) {
      const answer = await server.app.inject({ method, url })
      expectProblem(answer, 405)
      expect(answer.headers.allow).toBe('POST')
    }
  })

  test('405 comes before anything is read', async () => {
    expectProblem(await server.app.inject({ method: 'PUT', url: '/api/subscribe', payload: '{malformed' }), 405)
  })
})
