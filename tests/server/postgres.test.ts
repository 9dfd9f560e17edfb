import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, inject, test } from 'vitest'
import { countMessages } from '../../server/storage/outbox-rows.ts'
import { servePostgres } from '../../server/storage/postgres.ts'
import { createDatabase, query } from '../support/server/postgres.ts'

test('a statement that takes too long fails alone: others go on over their connections', async () => {
  const url = await createDatabase(inject('postgresUrl'))
  const database = await servePostgres(
    { urls: [url], mustWrite: false },
    { timeouts: { lockMs: 0, connectionMs: 1000, statementMs: 200 } },
  )
  const pid = () => database.run((db) => sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db))
  const write = () => database.run((db) => db.insertInto('readiness').values({ id: 1, checked_at: '' }).execute())
  const before = (await pid()).rows
  const other = new Client(url)
  await other.connect()
  await other.query('begin; lock table outbox in access exclusive mode')
  await expect(database.run(countMessages)).rejects.toThrow('statement timeout')
  await write()
  expect((await pid()).rows).toEqual(before)
  // Nor does it go on in the database, where nobody waits for it any more.
  expect(
    await query(url, "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"),
  ).toEqual([])
  await other.end()
  await database.close()
})

test('a database whose encoding lacks letters is refused, with what to do', async () => {
  const url = await createDatabase(inject('postgresUrl'), "encoding 'LATIN1' locale 'C' template template0")
  const opening = servePostgres({ urls: [url], mustWrite: false })
  await expect(opening).rejects.toThrow(/encoding is not UTF8: create/)
})
