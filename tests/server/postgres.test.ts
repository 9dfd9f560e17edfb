import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openPostgres } from '../../server/storage/postgres.ts'
import { databaseWith, makeStore } from '../support/server/databases.ts'
import { beginElsewhere, lockWaits, query } from '../support/server/postgres.ts'
import { until } from '../support/until.ts'

const shared = databaseWith({}, 'postgres')

function open(url = shared.url) {
  // These timeouts are too long to be reached, even on a busy machine.
  const database = openPostgres(url, { connectMs: 150_000, answerMs: 150_000, lockMs: 0, fileLockMs: 0 })
  onTestFinished(database.close)
  return database
}

test('two servers report an address as new once, and never deadlock', async () => {
  const addresses = ['a@example.com', 'b@example.com', 'c@example.com']
  const release = await beginElsewhere(
    shared.url,
    "insert into subscribers (email_key, email, created_at) values ('b@example.com', 'b@example.com', 'now')",
  )
  const runs = [open(), open()].map(({ run }) => vi.fn(run))
  // Both servers get the same addresses in opposite orders, and wait for the lock of another program.
  const answers = runs.flatMap((run, server) => {
    const store = makeStore({ run, close: async () => {} } as ReturnType<typeof open>)
    return (server === 0 ? addresses : addresses.toReversed()).map(store.addSubscriber)
  })
  await until(async () => (await lockWaits(shared.url)) === 2)
  await release()
  const sorted = (await Promise.all(answers)).toSorted()
  expect(sorted).toEqual(['added', 'added', 'added', 'present', 'present', 'present'])
  // PostgreSQL would end a deadlock: one commit would fail, and `run` would be called again.
  for (const run of runs) expect(run).toHaveBeenCalledOnce()
})

test('a session that PostgreSQL ends while nobody uses it is replaced', async () => {
  const { run } = open()
  const session = () => run((db) => sql<{ id: number }>`select pg_backend_pid() as id`.execute(db))
  const [ended] = (await session()).rows
  await query(shared.url, `select pg_terminate_backend(${ended?.id})`)
  await until(() =>
    session().then(
      ({ rows }) => rows[0]?.id !== ended?.id,
      () => false,
    ),
  )
})

test('a read-only session, like on an old primary, is replaced by a new session', async () => {
  const { run } = open()
  await run((db) => sql`set default_transaction_read_only = on`.execute(db))
  const write = () => run((db) => db.deleteFrom('readiness').execute())
  await expect(write()).rejects.toThrow('read-only')
  await write()
})

test('commits are synced, even if the database has synchronous_commit = off', async () => {
  const name = new URL(shared.url).pathname.slice(1)
  await query(shared.url, `alter database ${name} set synchronous_commit = off`)
  const { rows } = await open().run((db) => sql`show synchronous_commit`.execute(db))
  expect(rows).toEqual([{ synchronous_commit: 'on' }])
})
