import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeDatabase } from '../support/server/databases.ts'
import { startLoad } from '../support/server/load.ts'
import { createDatabase, type Postgres, query, startPostgres } from '../support/server/postgres.ts'
import { makeServerFolder, type ServerProcess } from '../support/server/server-folder.ts'

const sandbox = makeServerFolder()
let postgres: Postgres
let url: string
let server: ServerProcess
beforeAll(async () => {
  postgres = await startPostgres()
  url = await createDatabase(postgres.url)
  server = await sandbox.start({ DATABASE_URL: url })
})
afterAll(async () => {
  await sandbox.remove()
  await postgres.remove()
})

const statuses = () =>
  Promise.all(['', '/healthz', '/readyz'].map(async (path) => (await fetch(server.origin + path)).status))

/** Each fault begins, and returns what ends it. */
test.each<[fault: string, begin: () => Promise<() => unknown>]>([
  ['stopped', () => postgres.stop('fast').then(() => postgres.start)],
  ['crashed', () => postgres.stop('immediate').then(() => postgres.start)],
  ['silent', () => postgres.freeze()],
])('with a PostgreSQL %s under load nothing is lost, the page stays, and it recovers by itself', async (_, begin) => {
  const load = startLoad(server.origin, 20)
  onTestFinished(() => void load.stop())
  await load.more(100)
  const end = await begin()
  await load.refusals(20)
  expect(await statuses()).toEqual([200, 200, 503])
  await end()
  await load.more(100)
  await load.stop()
  const subscribers = await query<{ email: string }>(url, 'select email from subscribers')
  const enquiries = await query<{ message: string }>(url, 'select message from enquiries')
  expect(load.missingFrom(subscribers, enquiries)).toEqual([])
  expect([...load.statuses.keys()].toSorted()).toEqual([200, 503])
})

test('commits are synced, even where the database says that they need not be', async () => {
  const database = await makeDatabase('postgres')
  const name = new URL(database.url).pathname.slice(1)
  await query(database.url, `alter database ${name} set synchronous_commit = off`)
  expect(await query(database.url, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'off' }])
  const opened = await database.open()
  const { rows } = await opened.run((db) => sql`show synchronous_commit`.execute(db))
  await opened.close()
  expect(rows).toEqual([{ synchronous_commit: 'on' }])
})
