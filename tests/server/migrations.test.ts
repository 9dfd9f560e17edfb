import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { COLUMNS } from '../../leads/read.ts'
import { describeDatabaseError } from '../../server/storage/database-errors.ts'
import { UserError } from '../../server/user-error.ts'
import { ignoredEvents } from '../support/ignored-events.ts'
import { DATABASES, makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { leads } from '../support/server/leads.ts'
import { startLoad } from '../support/server/load.ts'
import { makeStore } from '../support/server/make-store.ts'
import { insertAsBefore, makeOld, runSql } from '../support/server/old-release.ts'
import { query } from '../support/server/postgres.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'
import { until } from '../support/until.ts'

const MAKE_NEWER = `insert into kysely_migration values ('9999-newer', '2999-01-01T00:00:00.000Z')`

let database: TestDatabase

async function useDatabase(kind: (typeof DATABASES)[number]) {
  database = await makeDatabase(kind)
  onTestFinished(database.remove)
  if (kind === 'sqlite') mkdirSync(dirname(database.url.replace('sqlite:', '')))
}

const emails = async () => (await database.rows('subscribers')).map(({ email }) => email)

const expectUnchanged = async () =>
  expect(Object.keys((await database.rows('outbox'))[0] ?? {})).not.toContain('channel')

describe.each(DATABASES)('on %s', (kind) => {
  beforeEach(() => useDatabase(kind))

  test('a server does not start on tables that are newer than it knows, and changes nothing', async () => {
    await makeOld(database.url)
    await runSql(database.url, MAKE_NEWER)
    const opened = database.open()
    await expect(opened).rejects.toThrow(UserError)
    await expect(opened).rejects.toThrow(/^The database's tables are newer than this release: /)
    await expectUnchanged()
  })

  test('tables of the release before become those that the code names, with their rows', async () => {
    await makeOld(database.url)
    const opened = await database.open()
    const tables = await opened.run((db) => db.introspection.getTables())
    for (const [name, columns] of Object.entries(COLUMNS)) {
      const found = tables.find((table) => table.name === name)?.columns.map((column) => column.name)
      // For servers of the previous release.
      expect(found?.filter((column) => column !== 'way').toSorted()).toEqual(Object.keys(columns).toSorted())
    }
    const store = makeStore(opened)
    expect(await store.addSubscriber('before@example.com')).toBe('present')
    await store.close()
    expect(await database.rows('outbox')).toMatchObject([{ channel: 'webhook', locked_by: null }])
  })

  test('what a release before has left is copied into tables of this one', async () => {
    await makeOld(database.url)
    const target = await makeDatabase('sqlite')
    expect(await leads(database.url, ['copy', '--to', target.url])).toMatchObject({ code: 0 })
    expect(await target.rows('subscribers')).toMatchObject([{ email: 'before@example.com', request_id: null }])
    expect(await target.rows('outbox')).toMatchObject([{ event_id: 'event of before@example.com', channel: 'webhook' }])
    await target.remove()
  })
})

test('leads neither reads nor changes tables of another release, and says which side is older', async () => {
  await useDatabase('sqlite')
  await makeOld(database.url)
  const expectRefused = async (words: string) => {
    const stderr = expect.stringMatching(new RegExp(`^The tables of .+ are ${words} .+\n$`))
    for (const args of [['stats'], ['erase', 'before@example.com', '--yes']]) {
      expect(await leads(database.url, args)).toEqual({ code: 1, stdout: '', stderr })
    }
  }
  await expectRefused('older than this release: start its server,')
  await runSql(database.url, MAKE_NEWER)
  await expectRefused('newer than this release: use the "leads" of')
  expect(await emails()).toEqual(['before@example.com'])
  await expectUnchanged()
})

describe('on PostgreSQL', () => {
  beforeEach(() => useDatabase('postgres'))

  test('a database of the release before is taken over by two servers under load, nothing lost, nothing doubled', async () => {
    const sandbox = makeServerFolder()
    onTestFinished(() => sandbox.remove())
    await makeOld(database.url)
    const written = ['before@example.com']
    let isOver = false
    /** A server of the release before, which goes on until it is stopped. */
    async function writeAsBefore() {
      for (let i = 0; !isOver; i++) {
        const email = `old${i}@example.com`
        await runSql(database.url, insertAsBefore(email))
        written.push(email)
      }
    }
    const old = writeAsBefore()
    await until(() => written.length > 10)
    const servers = await Promise.all([1, 2].map(() => sandbox.start({ DATABASE_URL: database.url })))
    const loads = servers.map(({ origin }) => startLoad(origin, 5))
    const before = written.length
    await until(() => loads.every(({ acknowledged }) => acknowledged.length > 50) && written.length > before + 10)
    isOver = true
    await Promise.all([old, ...loads.map((load) => load.stop())])
    const events = await database.rows('outbox')
    expect(events.map(({ event_id, channel }) => `${event_id} ${channel}`).toSorted()).toEqual(
      written.map((email) => `event of ${email} webhook`).toSorted(),
    )
    const stored = await emails()
    expect(new Set(stored).size).toBe(stored.length)
    expect(written.filter((email) => !stored.includes(email))).toEqual([])
    for (const load of loads) {
      expect(load.missingFrom(await database.rows('subscribers'))).toEqual([])
      expect([...load.statuses.keys()]).toEqual([200])
    }
  })

  /** A store that is opened while its database is away, and why it refuses. */
  async function openAbsent() {
    const { url } = database
    const name = new URL(url).pathname.slice(1)
    const other = Object.assign(new URL(url), { pathname: 'postgres' }).href
    await query(other, `alter database ${name} rename to ${name}_away`)
    const causes: unknown[] = []
    const store = makeStore(await database.open(), {
      maxAgeMs: 200,
      queueEvents: () => ({ ...ignoredEvents, refused: (_why, _items, cause) => causes.push(cause) }),
    })
    onTestFinished(() => store.close())
    await query(other, `alter database ${name}_away rename to ${name}`)
    return { store, reasons: () => causes.map(describeDatabaseError).join() }
  }

  test('who waits for a database is refused while that is updated, which may take longer than visitors wait, and taken afterwards', async () => {
    await makeOld(database.url)
    // The first change of a table takes longer than a statement of a visitor may, at each attempt.
    await query(
      database.url,
      `create function wait() returns event_trigger language plpgsql as $$ begin
        if coalesce(current_setting('tests.waited', true), '') = '' then
          perform set_config('tests.waited', 'yes', true), pg_sleep(2.5);
        end if; end $$;
      create event trigger slow on ddl_command_start when tag in ('ALTER TABLE') execute function wait()`,
    )
    const { store, reasons } = await openAbsent()
    const answers: string[] = []
    await until(async () => {
      answers.push(await store.addSubscriber(`after${answers.length}@example.com`))
      return answers.includes('added')
    })
    expect(new Set(answers)).toEqual(new Set(['unavailable', 'added']))
    expect(reasons()).toContain('Its tables are being migrated')
  })

  test('a database that proves newer when it is there is never written', async () => {
    await makeOld(database.url)
    await runSql(database.url, MAKE_NEWER)
    const { store, reasons } = await openAbsent()
    await until(async () => {
      expect(await store.addSubscriber('refused@example.com')).toBe('unavailable')
      return reasons().includes('are newer than this release')
    })
    expect(await store.checkReadiness()).toBe('unavailable')
    expect(await emails()).toEqual(['before@example.com'])
  })

  test('an event is for servers of both releases, whichever wrote it', async () => {
    await makeOld(database.url)
    const store = makeStore(await database.open(), { channels: ['webhook'] })
    await store.addSubscriber('new@example.com')
    await store.close()
    await runSql(database.url, insertAsBefore('old@example.com'))
    const ways = await query(database.url, 'select channel, way from outbox')
    expect(ways).toEqual(Array(3).fill({ channel: 'webhook', way: 'webhook' }))
  })

  test('a running server goes on when a newer release has updated the tables, over new connections too', async () => {
    const store = makeStore(await database.open())
    onTestFinished(() => store.close())
    expect(await store.addSubscriber('one@example.com')).toBe('added')
    await query(database.url, MAKE_NEWER)
    await query(
      database.url,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    expect(await store.addSubscriber('two@example.com')).toBe('added')
  })
})
