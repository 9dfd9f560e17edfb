import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { COLUMNS } from '../../leads/read.ts'
import { createDatabase, query } from '../../scripts/postgres.ts'
import { CLOSED_PORT } from '../support/server/closed-port.ts'
import { DATABASES, makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { leads } from '../support/server/leads.ts'
import { startLoad } from '../support/server/load.ts'
import { insertAsBefore, makeOld, runSql } from '../support/server/old-release.ts'
import { post } from '../support/server/post.ts'
import { makeServerFolder, type ServerFolder } from '../support/server/server-process.ts'
import { WAIT_TIMEOUT } from '../support/timeouts.ts'

const MAKE_NEWER = `insert into kysely_migration values ('9999-newer', '2999-01-01T00:00:00.000Z')`

let sandbox: ServerFolder
beforeEach(() => {
  sandbox = makeServerFolder()
})
afterEach(() => sandbox.remove())

const subscribe = (origin: string, email: string) => post(`${origin}/api/subscribe`, { email })

describe.each(DATABASES)('on %s', (kind) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await makeDatabase(kind)
    if (kind === 'sqlite') mkdirSync(dirname(database.url.replace('sqlite:', '')))
  })
  afterEach(() => database.remove())

  const start = () => sandbox.start({ DATABASE_URL: database.url })

  test('a database of the release before is taken over by two servers under load, nothing lost, nothing doubled', async () => {
    await makeOld(database.url)
    const written: string[] = []
    let isOver = false
    /** A server of the release before, which goes on until it is stopped. */
    async function writeAsBefore() {
      for (let i = 0; !isOver; i++) {
        const email = `old${i}@example.com`
        await runSql(database.url, insertAsBefore(email))
        written.push(email)
        // A file answers at once, and nothing else would get its turn.
        await setImmediate()
      }
    }
    const old = writeAsBefore()
    await vi.waitUntil(() => written.length > 10, { timeout: WAIT_TIMEOUT })
    // A file is for one server at a time.
    if (kind === 'sqlite') {
      isOver = true
      await old
    }
    const servers = kind === 'sqlite' ? [await start()] : await Promise.all([start(), start()])
    const loads = servers.map(({ origin }) => startLoad(origin, 5))
    const before = written.length
    await vi.waitUntil(
      () => loads.every(({ acknowledged }) => acknowledged.length > 50) && (isOver || written.length > before + 10),
      { timeout: WAIT_TIMEOUT },
    )
    isOver = true
    await Promise.all([old, ...loads.map((load) => load.stop())])
    const events = await database.rows('outbox')
    expect(events.map(({ event_id, channel }) => [event_id, channel]).toSorted()).toEqual(
      ['before@example.com', ...written].map((email) => [`event of ${email}`, 'webhook']).toSorted(),
    )
    const rows = await database.rows('subscribers')
    const emails = rows.map(({ email }) => email)
    expect(new Set(emails).size).toBe(emails.length)
    expect(['before@example.com', ...written].filter((email) => !emails.includes(email))).toEqual([])
    for (const load of loads) {
      expect(load.missingFrom(rows)).toEqual([])
      expect([...load.statuses.keys()]).toEqual([200])
    }
  })

  test('a server does not start on tables that are newer than it knows, and changes nothing', async () => {
    await makeOld(database.url)
    await runSql(database.url, MAKE_NEWER)
    const line = /^The database's tables are newer than this release: .+\n$/
    expect(await sandbox.runToEnd({ DATABASE_URL: database.url })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(line),
    })
    expect(Object.keys((await database.rows('outbox'))[0] ?? {})).not.toContain('channel')
  })

  test('leads neither reads nor changes tables of another release, and says which side is older', async () => {
    await makeOld(database.url)
    const commands = [['stats'], ['erase', 'before@example.com', '--yes'], ['outbox', '--retry']]
    for (const args of commands) {
      expect(await leads(database.url, args)).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^The tables of .+ are older than this release: start its server, .+\n$/),
      })
    }
    await runSql(database.url, MAKE_NEWER)
    for (const args of commands) {
      expect(await leads(database.url, args)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^The tables of .+ are newer than this release: use the "leads" of .+\n$/),
      })
    }
    expect(await database.rows('subscribers')).toMatchObject([{ email: 'before@example.com' }])
    expect(Object.keys((await database.rows('outbox'))[0] ?? {})).not.toContain('channel')
  })

  test('the tables have the columns that the code names', async () => {
    const opened = await database.open()
    const tables = await opened.run((db) => db.introspection.getTables())
    await opened.close()
    for (const [name, columns] of Object.entries(COLUMNS)) {
      const found = tables.find((table) => table.name === name)?.columns.map((column) => column.name)
      // For servers of the previous release.
      expect(found?.filter((column) => column !== 'way').toSorted()).toEqual(Object.keys(columns).toSorted())
    }
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

describe('on PostgreSQL', () => {
  /** Has the first change of a table take four seconds, which is longer than visitors are kept waiting. */
  const SLOW = `
    create sequence changes;
    create function wait_once() returns event_trigger language plpgsql as
      $$ begin if nextval('changes') = 1 then perform pg_sleep(4); end if; end $$;
    create event trigger slow on ddl_command_start when tag in ('ALTER TABLE') execute function wait_once()`

  /** A database that is there once `appear` is called. */
  async function makeAbsent() {
    const hidden = await createDatabase(inject('postgresUrl'))
    const name = `leads_${randomUUID().replaceAll('-', '')}`
    return {
      hidden,
      url: Object.assign(new URL(hidden), { pathname: name }).href,
      appear: () =>
        query(inject('postgresUrl'), `alter database ${new URL(hidden).pathname.slice(1)} rename to ${name}`),
    }
  }

  test('a statement of a migration may take longer than visitors wait', async () => {
    const url = await createDatabase(inject('postgresUrl'))
    await makeOld(url)
    await query(url, SLOW)
    const server = await sandbox.start({ DATABASE_URL: url })
    expect((await subscribe(server.origin, 'after@example.com')).status).toBe(200)
    expect(await query(url, 'select last_value > 1 as slow from changes')).toEqual([{ slow: true }])
  })

  test('a server that waits for its database answers 503 while that is updated, and takes calls afterwards', async () => {
    const { hidden, url, appear } = await makeAbsent()
    await makeOld(hidden)
    await query(hidden, SLOW)
    const server = await sandbox.start({ DATABASE_URL: url })
    await appear()
    const isSlow = async () =>
      (await query<{ last_value: number }>(url, 'select is_called from changes where is_called')).length
    const answers: number[] = []
    await vi.waitUntil(
      async () => {
        answers.push((await subscribe(server.origin, 'after@example.com')).status)
        return answers.at(-1) === 200
      },
      { timeout: WAIT_TIMEOUT },
    )
    expect(await isSlow()).toBe(1)
    expect(new Set(answers)).toEqual(new Set([503, 200]))
    expect(server.output()).toContain('Its tables are being migrated')
  })

  test('a database that proves newer when it is there is never written, and the log says so once', async () => {
    const { hidden, url, appear } = await makeAbsent()
    await makeOld(hidden)
    await query(hidden, MAKE_NEWER)
    const server = await sandbox.start({ DATABASE_URL: url })
    await appear()
    await vi.waitUntil(
      async () => {
        expect((await subscribe(server.origin, 'refused@example.com')).status).toBe(503)
        return server.output().includes('are newer than this release')
      },
      { timeout: WAIT_TIMEOUT },
    )
    expect((await subscribe(server.origin, 'refused@example.com')).status).toBe(503)
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(503)
    expect(server.output().match(/database unavailable.+are newer than this release/g)).toHaveLength(1)
    expect(await query(url, 'select email from subscribers')).toEqual([{ email: 'before@example.com' }])
  })

  test('an event is for servers of both releases, whichever wrote it', async () => {
    const url = await createDatabase(inject('postgresUrl'))
    await makeOld(url)
    const notify = {
      NOTIFY_WEBHOOK_URL: `http://127.0.0.1:${CLOSED_PORT}`,
      NOTIFY_WEBHOOK_SECRET: 'a secret of 16 bytes',
    }
    const server = await sandbox.start({ DATABASE_URL: url, ...notify })
    expect((await subscribe(server.origin, 'new@example.com')).status).toBe(200)
    await query(url, insertAsBefore('old@example.com'))
    const attempted =
      "select count(*)::int as events from outbox where channel = 'webhook' and way = 'webhook' and attempts > 0"
    await vi.waitUntil(async () => (await query<{ events: number }>(url, attempted))[0]?.events === 3, {
      timeout: WAIT_TIMEOUT,
    })
  })

  test('a running server goes on when a newer release has updated the tables, over new connections too', async () => {
    const url = await createDatabase(inject('postgresUrl'))
    const server = await sandbox.start({ DATABASE_URL: url })
    expect((await subscribe(server.origin, 'one@example.com')).status).toBe(200)
    await query(url, MAKE_NEWER)
    await query(
      url,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    expect((await subscribe(server.origin, 'two@example.com')).status).toBe(200)
  })
})
