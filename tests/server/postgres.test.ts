import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { servePostgres } from '../../server/storage/postgres.ts'
import { beginElsewhere, createDatabase, lockWaits } from '../support/server/postgres.ts'
import { until } from '../support/until.ts'

test('a statement that waits in vain for a lock is given up and ends in the database too, and the next one is answered', async () => {
  const url = await createDatabase(inject('postgresUrl'))
  const database = await servePostgres(url, { timeouts: { lockMs: 0, connectionMs: 1000, statementMs: 200 } })
  const release = await beginElsewhere(url, 'lock table outbox in access exclusive mode')
  await expect(database.run((db) => db.selectFrom('outbox').selectAll().execute())).rejects.toThrow('timeout')
  await database.run((db) => sql`select 1`.execute(db))
  await until(async () => (await lockWaits(url)) === 0)
  await release()
  await database.close()
})

test('a database whose encoding lacks letters is refused, with what to do', async () => {
  const url = await createDatabase(inject('postgresUrl'), "encoding 'LATIN1' locale 'C' template template0")
  await expect(servePostgres(url)).rejects.toThrow(/encoding is not UTF8: create/)
})
