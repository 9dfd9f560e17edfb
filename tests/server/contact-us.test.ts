import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../support/build-test-app.ts'
import { DATABASES } from '../support/databases.ts'
import { expectProblem } from '../support/problem.ts'

describe.each(DATABASES)('on %s', (database) => {
  let server: TestApp
  beforeAll(async () => {
    server = await buildTestApp({ database })
  })
  afterAll(() => server.close())

  const enquiry = (msg: string) => ({ name: { first: 'Given', last: 'Family' }, email: 'Visitor@example.com', msg })
  const send = (body: object, key?: string) =>
    server.post('/api/contact-us', body, key === undefined ? {} : { 'idempotency-key': key })
  const stored = async (message: string) => (await server.rows('enquiries')).filter((row) => row.message === message)

  test('an enquiry is stored as it was written before it is acknowledged', async () => {
    const answer = await send(enquiry('Line one\n\tand two, for 🏗️'))
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ success: true })
    expect(await stored('Line one\n\tand two, for 🏗️')).toMatchObject([
      { first_name: 'Given', last_name: 'Family', email: 'Visitor@example.com' },
    ])
  })

  test('without a key every call is an enquiry of its own', async () => {
    await Promise.all([send(enquiry('keyless')), send(enquiry('keyless'))])
    await send(enquiry('keyless'))
    expect(await stored('keyless')).toHaveLength(3)
  })

  test('a repeat with the same key and body is answered like the first and stored once', async () => {
    const key = randomUUID()
    const answers = [await send(enquiry('repeat'), key), await send(enquiry('repeat'), key)]
    expect(answers.map((answer) => answer.json())).toEqual([{ success: true }, { success: true }])
    expect(await stored('repeat')).toHaveLength(1)
  })

  test('equal calls with one key at once are stored once', async () => {
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(enquiry('at once'), key)))
    expect(answers.every((answer) => answer.statusCode === 200)).toBe(true)
    expect(await stored('at once')).toHaveLength(1)
  })

  test('keys that differ in case are one, and the order of the fields does not matter', async () => {
    const key = randomUUID()
    await send(enquiry('case'), key.toUpperCase())
    const { msg, email, name } = enquiry('case')
    expect((await send({ msg, email, name: { last: name.last, first: name.first } }, key)).statusCode).toBe(200)
    expect(await stored('case')).toHaveLength(1)
  })

  const KEY_REUSED = {
    type: 'about:blank',
    title: 'Unprocessable Content',
    status: 422,
    detail: 'This Idempotency-Key was used for another enquiry. Send the new one with a new key.',
    errors: [{ header: 'Idempotency-Key', detail: 'was used for another enquiry' }],
  }

  test.each([
    ['message', { ...enquiry('other'), msg: 'changed' }],
    ['address', { ...enquiry('other'), email: 'visitor@example.com' }],
    ['first name', { ...enquiry('other'), name: { first: 'Other', last: 'Family' } }],
    ['last name', { ...enquiry('other'), name: { first: 'Given', last: 'Other' } }],
  ])('the same key with another %s is refused as the contract shows', async (_field, body) => {
    const key = randomUUID()
    await send(enquiry('other'), key)
    expect(expectProblem(await send(body, key), 422)).toEqual(KEY_REUSED)
  })

  test('of two enquiries with one key at once, one is stored and the other refused', async () => {
    const key = randomUUID()
    const answers = await Promise.all([send(enquiry('this'), key), send(enquiry('that'), key)])
    expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([200, 422])
    expect([...(await stored('this')), ...(await stored('that'))]).toHaveLength(1)
  })

  test.each([
    '',
    'x',
    '0b9e5b0c6f5d4b7e9d516d2f5a3f0c11',
    `urn:uuid:${randomUUID()}`,
    `${randomUUID()}, ${randomUUID()}`,
  ])('the key "%s" is refused', async (key) => {
    const { errors } = expectProblem(await send(enquiry('bad key'), key), 422)
    expect(errors).toEqual([{ header: 'Idempotency-Key', detail: 'must be a UUID' }])
    expect(await stored('bad key')).toEqual([])
  })

  test('the largest enquiry, every character escaped, fits', async () => {
    const escaped = (count: number) => `"${String.raw`\ud83d\ude00`.repeat(count)}"`
    const email = `${'a'.repeat(64)}@${`${'b'.repeat(62)}.`.repeat(2)}${'c'.repeat(60)}.co`
    const body = `{"name":{"first":${escaped(100)},"last":${escaped(100)}},"email":"${email}","msg":${escaped(5000)}}`
    expect([email.length, body.length > 62_000]).toEqual([254, true])
    expect((await server.post('/api/contact-us', body)).statusCode).toBe(200)
    expect(await stored('😀'.repeat(5000))).toHaveLength(1)
  })
})
