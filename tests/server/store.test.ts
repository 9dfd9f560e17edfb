import { describe, expect, test, vi } from 'vitest'
import { anEnquiry, columnsOf } from '../support/enquiries.ts'
import { DATABASES, makeHastyStore, makeStore, openDatabases } from '../support/server/databases.ts'
import { until } from '../support/until.ts'

describe.each(DATABASES)('on %s', (kind) => {
  const [sandbox, database] = openDatabases(kind)

  test('an address is new once, in upper or lower case, and keeps its first spelling', async () => {
    const store = makeStore(database)
    const answers = ['Visitor@Example.com', 'visitor@example.com'].map((email) => store.addSubscriber(email))
    expect(await Promise.all(answers)).toEqual(['added', 'present'])
    expect(await store.addSubscriber('VISITOR@example.com')).toBe('present')
    expect((await sandbox.rows('subscribers')).map(({ email }) => email)).toEqual(['Visitor@Example.com'])
  })

  test('an enquiry is stored as it was sent', async () => {
    const enquiry = anEnquiry({ message: `Line one\n\tand two, for ${'🏗️'.repeat(1600)}` })
    expect(await makeStore(database).addEnquiry(enquiry, null)).toBe('stored')
    expect(await sandbox.rows('enquiries')).toMatchObject([columnsOf(enquiry)])
  })

  test('of enquiries with one key the first is stored, its repeats are answered like it, and others refused', async () => {
    const store = makeStore(database)
    const other = anEnquiry({ message: 'Another one' })
    const send = () => Promise.all([anEnquiry(), anEnquiry(), other].map((enquiry) => store.addEnquiry(enquiry, 'KEY')))
    for (let i = 0; i < 2; i++) expect(await send()).toEqual(['stored', 'stored', 'key-reused'])
    expect(await sandbox.rows('enquiries')).toMatchObject([columnsOf(anEnquiry())])
  })

  test.each([true, false])(
    'with mail configured: %s, an enquiry is stored with a mail that is due at once, or none',
    async (mail) => {
      await makeStore(database, { mail }).addEnquiry(anEnquiry(), null)
      const [row] = await sandbox.rows('enquiries')
      expect(row?.mail_due_at).toBe(mail ? row?.created_at : null)
    },
  )
})

describe('a store', () => {
  const [sandbox, database] = openDatabases('sqlite')

  test('stores calls that arrive together in one commit', async () => {
    const run = vi.fn(database.run)
    const store = makeStore({ ...database, run } as typeof database)
    await Promise.all(Array.from({ length: 100 }, (_, i) => store.addSubscriber(`${i}@example.com`)))
    expect(run).toHaveBeenCalledOnce()
  })

  test('stores the waiting calls before it closes', async () => {
    const store = makeStore(await sandbox.open())
    const answer = store.addSubscriber('visitor@example.com')
    await store.close()
    expect(await answer).toBe('added')
  })

  test('does not store a commit twice that succeeded but seemed to fail', async () => {
    const run = vi.fn(database.run).mockImplementationOnce(async (statements) => {
      await database.run(statements)
      throw new Error('connection lost')
    })
    const store = makeStore({ ...database, run } as typeof database)
    const answers = [store.addSubscriber('visitor@example.com'), store.addEnquiry(anEnquiry(), null)]
    expect(await Promise.all(answers)).toEqual(['present', 'stored'])
    expect([await sandbox.rows('subscribers'), await sandbox.rows('enquiries')]).toMatchObject([[{}], [{}]])
  })

  test('refuses the calls of a commit that fails for good, and all waiting calls', async () => {
    const commit = Promise.withResolvers<never>()
    const run = vi.fn(() => commit.promise)
    const onRefused = vi.fn()
    const store = makeHastyStore({ ...database, run }, onRefused)
    const committing = store.addSubscriber('committing@example.com')
    await until(() => run.mock.calls.length === 1)
    const waiting = store.addSubscriber('waiting@example.com')
    expect(store.pending()).toBe(2)
    const error = new Error('gone')
    commit.reject(error)
    expect(await Promise.all([committing, waiting])).toEqual(['unavailable', 'unavailable'])
    expect(onRefused.mock.calls).toEqual([[2, error]])
    expect(run).toHaveBeenCalledOnce()
  })

  test('refuses a call if 4,000 calls wait, and stores these', async () => {
    const store = makeStore(database)
    const answers = Array.from({ length: 4001 }, () => store.addEnquiry(anEnquiry(), null))
    expect(await answers[4000]).toBe('unavailable')
    expect(new Set(await Promise.all(answers.slice(0, 4000)))).toEqual(new Set(['stored']))
  })
})
