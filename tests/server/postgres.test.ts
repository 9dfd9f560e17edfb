import { sql } from 'kysely'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { noteTime } from '../../server/storage/database.ts'
import { openPostgres, servePostgres } from '../../server/storage/postgres.ts'
import { makeStore, openDatabases } from '../support/server/databases.ts'
import { beginElsewhere, createDatabase, lockWaits, PATIENT, query } from '../support/server/postgres.ts'
import { until } from '../support/until.ts'

const [sandbox] = openDatabases('postgres')

function open(timeouts = PATIENT) {
  const database = openPostgres(sandbox.url, timeouts)
  onTestFinished(database.close)
  return database
}

const ADDRESSES = ['a@example.com', 'b@example.com', 'c@example.com']

/** Two servers that get the same addresses in opposite orders, and wait for the lock of another program. */
async function startTwoServers() {
  const release = await beginElsewhere(
    sandbox.url,
    "insert into subscribers (email_key, email, created_at) values ('b@example.com', 'b@example.com', 'now')",
  )
  const runs = [open(), open()].map(({ run }) => vi.fn(run))
  const answers = runs.flatMap((run, server) => {
    const store = makeStore({ run, close: async () => {} } as ReturnType<typeof open>)
    return (server === 0 ? ADDRESSES : ADDRESSES.toReversed()).map(store.addSubscriber)
  })
  await until(async () => (await lockWaits(sandbox.url)) === 2)
  return { release, runs, answers: Promise.all(answers) }
}

test('two servers report an address as new once, and never deadlock', async () => {
  const { release, runs, answers } = await startTwoServers()
  await release()
  expect((await answers).toSorted()).toEqual(['added', 'added', 'added', 'present', 'present', 'present'])
  // PostgreSQL would end a deadlock: one commit would fail, and `run` would be called again.
  for (const run of runs) expect(run).toHaveBeenCalledOnce()
})

test('two servers refuse and duplicate nothing when their connections are cut', async () => {
  const { release, answers } = await startTwoServers()
  const waiting = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  await query(sandbox.url, `select pg_terminate_backend(pid) from (${waiting}) as sessions`)
  await release()
  expect(await answers).not.toContain('unavailable')
  expect(await sandbox.rows('subscribers')).toHaveLength(3)
})

test('a statement that times out in a server also ends in the database', async () => {
  onTestFinished(await beginElsewhere(sandbox.url, 'lock table enquiries in access exclusive mode'))
  const { run } = open({ ...PATIENT, lockMs: 500 })
  await expect(run((db) => db.selectFrom('enquiries').selectAll().execute())).rejects.toThrow('lock timeout')
  await until(async () => (await lockWaits(sandbox.url)) === 0)
})

test('a read-only session, as on an old primary, is replaced by a new session', async () => {
  const { run } = open()
  await run((db) => sql`set default_transaction_read_only = on`.execute(db))
  const write = () => run((db) => noteTime(db, 'daily'))
  await expect(write()).rejects.toThrow('read-only')
  await write()
})

test('commits are synced, even if the database has synchronous_commit = off', async () => {
  const name = new URL(sandbox.url).pathname.slice(1)
  await query(sandbox.url, `alter database ${name} set synchronous_commit = off`)
  const { rows } = await open().run((db) => sql`show synchronous_commit`.execute(db))
  expect(rows).toEqual([{ synchronous_commit: 'on' }])
})

test('a database whose encoding is not UTF-8 is refused, with the remedy', async () => {
  const url = await createDatabase(inject('postgresUrl'), "encoding 'LATIN1' locale 'C' template template0")
  await expect(servePostgres(url, () => {})).rejects.toThrow(/encoding is not UTF8: create/)
})
