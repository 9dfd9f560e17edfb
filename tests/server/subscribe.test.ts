import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../support/build-test-app.ts'
import { DATABASES } from '../support/databases.ts'

describe.each(DATABASES)('on %s', (database) => {
  let server: TestApp
  beforeAll(async () => {
    server = await buildTestApp({ database })
  })
  afterAll(() => server.close())

  const subscribe = (email: string) => server.post('/api/subscribe', { email })
  const rowsOf = async (key: string) => (await server.rows('subscribers')).filter((row) => row.email_key === key)

  test('a new address is stored before it is acknowledged', async () => {
    const answer = await subscribe('new@example.com')
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ success: true, email_exists: false })
    expect(await rowsOf('new@example.com')).toHaveLength(1)
  })

  test('an answer is JSON that nobody keeps', async () => {
    const { headers } = await subscribe('headers@example.com')
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  })

  test('an address that is there already is told so and stored once', async () => {
    await subscribe('again@example.com')
    expect((await subscribe('again@example.com')).json()).toEqual({ success: true, email_exists: true })
    expect(await rowsOf('again@example.com')).toHaveLength(1)
  })

  test('addresses that differ in case are one, kept as it was typed first', async () => {
    await subscribe('Visitor@Example.com')
    expect((await subscribe('visitor@EXAMPLE.com')).json()).toEqual({ success: true, email_exists: true })
    const [row, ...more] = await rowsOf('visitor@example.com')
    expect(row?.email).toBe('Visitor@Example.com')
    expect(more).toEqual([])
  })

  test('of 40 calls at once, in any case, exactly one is new', async () => {
    const spellings = Array.from({ length: 40 }, (_, i) => (i % 2 ? 'once@example.com' : 'ONCE@example.com'))
    const answers = await Promise.all(spellings.map(async (email) => (await subscribe(email)).json()))
    expect(answers.filter((answer) => answer.email_exists === false)).toHaveLength(1)
    expect(answers.every((answer) => answer.success === true)).toBe(true)
    expect(await rowsOf('once@example.com')).toHaveLength(1)
  })

  test('a row knows when it came, in UTC', async () => {
    const before = new Date().toISOString()
    await subscribe('time@example.com')
    const created = (await rowsOf('time@example.com'))[0]?.created_at ?? ''
    expect(created >= before && created <= new Date().toISOString()).toBe(true)
  })

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'the content type %s is taken',
    async (type) => {
      const answer = await server.post('/api/subscribe', { email: 'type@example.com' }, { 'content-type': type })
      expect(answer.statusCode).toBe(200)
    },
  )

  test('an XSRF token of any content is taken', async () => {
    const answer = await server.post(
      '/api/subscribe',
      { email: 'token@example.com' },
      { 'x-xsrf-token': 'a'.repeat(4096) },
    )
    expect(answer.statusCode).toBe(200)
  })
})
