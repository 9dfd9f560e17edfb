import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildTestApp, readTable, type TestApp } from '../support/build-test-app.ts'
import { expectProblem } from '../support/problem.ts'

let server: TestApp
beforeAll(async () => {
  server = await buildTestApp()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.db.deleteFrom('subscribers').execute()
  await server.db.deleteFrom('enquiries').execute()
})
afterEach(() => {
  expect(readTable(server.databaseFile, 'subscribers')).toEqual([])
  expect(readTable(server.databaseFile, 'enquiries')).toEqual([])
})

const VALID = '{"email":"visitor@example.com"}'

describe('415: what is not sent as JSON in UTF-8', () => {
  test.each([
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    'application/problem+json',
    'application/jsonx',
    'application/json, text/plain',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'nonsense',
  ])('%s', async (type) => {
    expectProblem(await server.post('/api/subscribe', VALID, { 'content-type': type }), 415)
  })

  test.each(['/api/subscribe', '/api/contact-us'])('no content type on %s, with a body or without', async (url) => {
    expectProblem(await server.app.inject({ method: 'POST', url, payload: Buffer.from(VALID) }), 415)
    expectProblem(await server.app.inject({ method: 'POST', url }), 415)
  })
})

describe('400: what is not JSON', () => {
  test.each([
    ['nothing', ''],
    ['white space', '  '],
    ['half an object', '{"email":"visitor@exam'],
    ['two objects', `${VALID}${VALID}`],
    ['a comment', `/* */${VALID}`],
    ['single quotes', "{'email':'visitor@example.com'}"],
    ['a __proto__', '{"email":"visitor@example.com","__proto__":{"x":1}}'],
    ['a constructor with a prototype', '{"email":"a@b.co","constructor":{"prototype":{"x":1}}}'],
    ['60,000 brackets', '['.repeat(60_000)],
  ])('%s', async (_, body) => {
    expectProblem(await server.post('/api/subscribe', body), 400)
  })

  test.each([
    ['a broken sequence', Buffer.concat([Buffer.from('{"email":"a'), Buffer.of(0xff), Buffer.from('@b.co"}')])],
    ['an encoded surrogate', Buffer.concat([Buffer.from('{"x":"'), Buffer.of(0xed, 0xa0, 0x80), Buffer.from('"}')])],
    ['UTF-16', Buffer.from(VALID, 'utf16le')],
  ])('%s is not replaced', async (_, body) => {
    expectProblem(await server.post('/api/subscribe', body), 400)
  })
})

test('413: one byte over 65,536, while 65,536 are read', async () => {
  const body = (length: number) => JSON.stringify({ email: 'a'.repeat(length - '{"email":""}'.length) })
  expectProblem(await server.post('/api/subscribe', body(65_537)), 413)
  expectProblem(await server.post('/api/subscribe', body(65_536)), 422)
})

const NAME = { first: 'Given', last: 'Family' }
const ENQUIRY = { name: NAME, email: 'visitor@example.com', msg: 'Hello' }

describe('422: names each field at fault', () => {
  test.each<[string, unknown, string[]]>([
    ['no object', null, ['']],
    ['a list', [], ['']],
    ['a text', '"x"', ['']],
    ['nothing in it', {}, ['/email']],
    ['no address', { email: 'plain' }, ['/email']],
    ['a number', { email: 1 }, ['/email']],
    ['a list with an address', { email: ['visitor@example.com'] }, ['/email']],
    ['white space around it', { email: ' visitor@example.com' }, ['/email']],
    ['a line break after it', { email: 'visitor@example.com\n' }, ['/email']],
    ['too long', { email: `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(70)}.co` }, ['/email']],
    ['one field more', { email: 'visitor@example.com', extra: 1 }, ['']],
    ['a constructor', { email: 'visitor@example.com', constructor: 1 }, ['']],
    ['one field more and no address', { email: 'plain', extra: 1 }, ['', '/email']],
  ])('subscribe: %s', async (_, body, pointers) => {
    const { errors } = expectProblem(await server.post('/api/subscribe', body), 422)
    expect(errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers)
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
    ['a middle name', { ...ENQUIRY, name: { ...NAME, middle: 'M' } }, ['/name']],
    ['a line break in a name', { ...ENQUIRY, name: { ...NAME, first: 'a\nb' } }, ['/name/first']],
    ['white space around a name', { ...ENQUIRY, name: { ...NAME, last: 'Family ' } }, ['/name/last']],
    ['a name of 101 characters', { ...ENQUIRY, name: { ...NAME, last: '😀'.repeat(101) } }, ['/name/last']],
    ['a lone surrogate', { ...ENQUIRY, msg: 'a\ud800b' }, ['/msg']],
    ['U+0000 in the message', { ...ENQUIRY, msg: 'a\u0000b' }, ['/msg']],
    ['white space alone', { ...ENQUIRY, msg: '\u3000\n' }, ['/msg']],
    ['a message of 5,001 characters', { ...ENQUIRY, msg: 'x'.repeat(5001) }, ['/msg']],
  ])('contact-us: %s', async (_, body, pointers) => {
    const { errors } = expectProblem(await server.post('/api/contact-us', body), 422)
    expect(errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual(pointers.toSorted())
  })

  test('an XSRF token that is too long is a header at fault', async () => {
    const { errors } = expectProblem(
      await server.post('/api/subscribe', VALID, { 'x-xsrf-token': 'a'.repeat(4097) }),
      422,
    )
    expect(errors).toEqual([{ header: 'X-XSRF-TOKEN', detail: expect.any(String) }])
  })

  test('nothing that was sent comes back, names of fields included', async () => {
    const answer = await server.post('/api/contact-us', {
      ...ENQUIRY,
      email: 'marker',
      msg: ' marker',
      name: { first: ' marker', last: 'marker\n', marker: 'marker' },
      marker: 'marker',
    })
    expectProblem(answer, 422)
    expect(answer.body).not.toContain('marker')
  })
})

describe('paths and methods that the contract does not have', () => {
  test.each(['/api', '/api/', '/api/x', '/api/subscribe/', '/api/subscribe/x', '/api/:x(', '/api/%zz'])(
    '404: %s, whatever the method',
    async (url) => {
      for (const method of ['GET', 'POST', 'DELETE'] as const) {
        expectProblem(await server.app.inject({ method, url }), 404)
      }
      expectProblem(await server.post(url, '{malformed'), 404)
    },
  )

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)('405: %s, Allow: POST', async (method) => {
    for (const url of ['/api/subscribe', '/api/contact-us?x=1']) {
      const answer = await server.app.inject({ method, url })
      expectProblem(answer, 405)
      expect(answer.headers.allow).toBe('POST')
    }
  })

  test('405: HEAD, without a body', async () => {
    const answer = await server.app.inject({ method: 'HEAD', url: '/api/subscribe' })
    expect([answer.statusCode, answer.headers.allow, answer.body]).toEqual([405, 'POST', ''])
  })

  test('405 comes before anything is read', async () => {
    expectProblem(await server.app.inject({ method: 'PUT', url: '/api/subscribe', payload: '{malformed' }), 405)
  })
})
