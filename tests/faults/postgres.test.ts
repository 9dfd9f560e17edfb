import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { createDatabase, type Postgres, query, startPostgres } from '../../scripts/postgres.ts'
import type { ServerProcess } from '../../scripts/server-process.ts'
import { makeDatabase } from '../support/server/databases.ts'
import { type Load, startLoad } from '../support/server/load.ts'
import { makeServerFolder, type ServerFolder } from '../support/server/server-process.ts'
import { WAIT_TIMEOUT } from '../support/timeouts.ts'

let postgres: Postgres
let sandbox: ServerFolder
let url: string
beforeAll(async () => {
  postgres = await startPostgres()
  sandbox = makeServerFolder()
})
afterAll(async () => {
  await sandbox.remove()
  await postgres.remove()
})

let load: Load | null = null
afterEach(() => load?.stop())

async function startServer(): Promise<ServerProcess> {
  url = await createDatabase(postgres.url)
  return sandbox.start({ DATABASE_URL: url })
}

const stored = () => query<{ email: string }>(url, 'select email from subscribers')

/** Milliseconds until the load is acknowledged again. */
async function recovery(under: Load): Promise<number> {
  const began = performance.now()
  const before = under.acknowledged.length
  await vi.waitUntil(() => under.acknowledged.length > before, { timeout: WAIT_TIMEOUT, interval: 5 })
  return performance.now() - began
}

/** Waits until calls are taken again, and holds that nothing is lost. */
async function expectRecovery(fault: string, under: Load, statuses: readonly number[] = [200, 503]) {
  const ms = await recovery(under)
  await under.stop()
  const lost = under.missingFrom(await stored())
  const counts = [...under.statuses].map(([status, count]) => `${count} answers ${status}`).join(', ')
  console.log(
    `Postgres ${fault}: ${counts}, slowest refusal ${Math.round(under.slowestRefusal())} ms, ` +
      `${lost.length} of ${under.acknowledged.length} acknowledged lost, recovered in ${Math.round(ms)} ms`,
  )
  expect(lost).toEqual([])
  expect([...under.statuses.keys()].toSorted()).toEqual(statuses)
}

test('a Postgres that is absent at the start is answered 503, and used as soon as it is there', async () => {
  url = await createDatabase(postgres.url)
  await postgres.stop('fast')
  const server = await sandbox.start({ DATABASE_URL: url })
  load = startLoad(server.origin, 10)
  const during = load
  await vi.waitUntil(() => (during.statuses.get(503) ?? 0) >= 10, { timeout: WAIT_TIMEOUT })
  expect((await fetch(server.origin)).status).toBe(200)
  expect((await fetch(`${server.origin}/healthz`)).status).toBe(200)
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(503)
  await postgres.start()
  await expectRecovery('absent at the start', load)
  server.signal('SIGTERM')
  expect(await server.exited).toBe(0)
})

describe.each(['fast', 'immediate'] as const)('stopped %s under load', (mode) => {
  test('it is answered 503, nothing acknowledged is lost, and the server stays up', async () => {
    const server = await startServer()
    load = startLoad(server.origin)
    const during = load
    await vi.waitUntil(() => during.acknowledged.length > 500, { timeout: WAIT_TIMEOUT })
    await postgres.stop(mode)
    await vi.waitUntil(() => (during.statuses.get(503) ?? 0) >= 50, { timeout: WAIT_TIMEOUT })
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(503)
    await postgres.start()
    await expectRecovery(`stopped ${mode}`, load)
    server.signal('SIGTERM')
    expect(await server.exited).toBe(0)
  })
})

test('restarted while nobody calls, it is used again by the next call', async () => {
  const server = await startServer()
  load = startLoad(server.origin, 1)
  await recovery(load)
  await load.stop()
  await postgres.stop('fast')
  await postgres.start()
  load = startLoad(server.origin, 1)
  await expectRecovery('restarted while idle', load, [200])
  server.signal('SIGTERM')
  expect(await server.exited).toBe(0)
})

test('a Postgres that says nothing any more keeps nobody waiting, nor the end', async () => {
  const server = await startServer()
  load = startLoad(server.origin, 10)
  await recovery(load)
  const during = load
  const resume = await postgres.freeze()
  await vi.waitUntil(() => (during.statuses.get(503) ?? 0) >= 20, { timeout: WAIT_TIMEOUT })
  resume()
  await expectRecovery('frozen', load)
  const thaw = await postgres.freeze()
  load = startLoad(server.origin, 1)
  await vi.waitUntil(() => load?.statuses.has(503), { timeout: WAIT_TIMEOUT })
  server.signal('SIGTERM')
  expect(await server.exited).toBe(0)
  thaw()
})

test('commits are synced, also where the database says that they need not be', async () => {
  const sandbox = await makeDatabase('postgres')
  const name = new URL(sandbox.url).pathname.slice(1)
  await query(inject('postgresUrl'), `alter database ${name} set synchronous_commit = off`)
  expect(await query(sandbox.url, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'off' }])
  const database = await sandbox.open()
  const { rows } = await database.run((db) => sql`show synchronous_commit`.execute(db))
  await database.close()
  expect(rows).toEqual([{ synchronous_commit: 'on' }])
})
