import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { lockDatabase } from '../support/server/build-test-app.ts'
import { makeDatabase, readTable } from '../support/server/databases.ts'
import { startLoad } from '../support/server/load.ts'
import { post } from '../support/server/post.ts'
import { createDatabase, type Postgres, query, startPostgres } from '../support/server/postgres.ts'
import { makeServerFolder, type ServerProcess } from '../support/server/server-folder.ts'
import { until } from '../support/until.ts'

const sandbox = makeServerFolder()
let postgres: Postgres
let url: string
let servers: Record<'sqlite' | 'postgres', ServerProcess>
beforeAll(async () => {
  postgres = await startPostgres()
  url = await createDatabase(postgres.url)
  await postgres.stop('fast')
  servers = { sqlite: await sandbox.start(), postgres: await sandbox.start({ DATABASE_URL: url }) }
})
afterAll(async () => {
  await sandbox.remove()
  await postgres.remove()
})

const SQLITE = () => servers.sqlite
const POSTGRES = () => servers.postgres

const statusesOf = ({ origin }: ServerProcess) =>
  Promise.all(['', '/healthz', '/readyz'].map(async (path) => (await fetch(origin + path)).status))

const subscribe = async ({ origin }: ServerProcess) =>
  (await post(`${origin}/api/subscribe`, { email: 'visitor@example.com' })).status

const stored = async (server: ServerProcess) =>
  server === servers.sqlite
    ? ([readTable(sandbox.databaseFile, 'subscribers'), readTable(sandbox.databaseFile, 'enquiries')] as const)
    : ([
        await query<{ email: string }>(url, 'select email from subscribers'),
        await query<{ message: string }>(url, 'select message from enquiries'),
      ] as const)

test('a PostgreSQL that is absent at the start is answered 503, and used as soon as it is there', async () => {
  expect(await statusesOf(servers.postgres)).toEqual([200, 200, 503])
  expect(await subscribe(servers.postgres)).toBe(503)
  expect(servers.postgres.output()).toMatch(/database unavailable.+answered 503 until it is back\. Nothing listens/)
  await postgres.start()
  await until(async () => (await subscribe(servers.postgres)) === 200)
})

/** Each fault begins, and returns what ends it. */
test.each<[fault: string, server: () => ServerProcess, begin: () => Promise<() => unknown>]>([
  ['the SQLite file locked by another', SQLITE, async () => lockDatabase(sandbox.databaseFile)],
  ['PostgreSQL stopped', POSTGRES, () => postgres.stop('fast').then(() => postgres.start)],
  ['PostgreSQL crashed', POSTGRES, () => postgres.stop('immediate').then(() => postgres.start)],
  ['PostgreSQL silent', POSTGRES, () => postgres.freeze()],
])('%s under load: only 200 and 503, the page stays, nothing lost, and it recovers by itself', async (_, of, begin) => {
  const server = of()
  const load = startLoad(server.origin, 20)
  onTestFinished(() => void load.stop())
  await load.more(100)
  const end = await begin()
  await load.refusals(20)
  expect(await statusesOf(server)).toEqual([200, 200, 503])
  await end()
  await load.more(100)
  await load.stop()
  expect(load.missingFrom(...(await stored(server)))).toEqual([])
  expect([...load.statuses.keys()].toSorted()).toEqual([200, 503])
})

test('a PostgreSQL that says nothing any more holds up the end for a limited time', async () => {
  const resume = await postgres.freeze()
  onTestFinished(resume)
  expect(await subscribe(servers.postgres)).toBe(503)
  servers.postgres.signal('SIGTERM')
  // By itself, once the statement that nobody answers has timed out: nobody waits for it any more.
  expect(await servers.postgres.exited).toBe(0)
  expect(servers.postgres.output()).toContain('"msg":"stopped"')
})

test('commits are synced, also where the database says that they need not be', async () => {
  const database = await makeDatabase('postgres')
  const name = new URL(database.url).pathname.slice(1)
  await query(database.url, `alter database ${name} set synchronous_commit = off`)
  expect(await query(database.url, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'off' }])
  const opened = await database.open()
  const { rows } = await opened.run((db) => sql`show synchronous_commit`.execute(db))
  await opened.close()
  expect(rows).toEqual([{ synchronous_commit: 'on' }])
})
