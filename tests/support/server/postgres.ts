import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import type { Timeouts } from '../../../server/storage/postgres.ts'
import { NO_SYNC, type Postgres, query, startPostgres } from '../../../tools/scripts/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a PostgreSQL that all tests of a run share. Each test makes its own databases there. */
    postgresUrl: string
  }
}

declare global {
  /** Global, because each project of a run loads its own copy of this module. */
  var sharedPostgres: { readonly started: Promise<Postgres>; users: number } | undefined
}

/** Global setup of projects that share a PostgreSQL: the first project starts it, the last project stops it. */
export default async function setup(project: TestProject) {
  globalThis.sharedPostgres ??= { started: startPostgres(...NO_SYNC), users: 0 }
  const shared = globalThis.sharedPostgres
  shared.users += 1
  const { url, remove } = await shared.started
  project.provide('postgresUrl', url)
  return async () => {
    shared.users -= 1
    if (shared.users > 0) return
    globalThis.sharedPostgres = undefined
    await remove()
  }
}

/** Timeouts that no busy machine reaches. */
export const PATIENT: Timeouts = { connectMs: 150_000, answerMs: 150_000, lockMs: 0 }

/** Begins, as another program, a transaction that stays open until the returned function is called. */
export async function beginElsewhere(url: string, statements: string) {
  const client = new Client(url)
  await client.connect()
  await client.query(`begin; ${statements}`)
  return () => client.end()
}

/** How many sessions of a database wait for a lock. */
export const lockWaits = async (url: string) =>
  (await query(url, "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
    .length
