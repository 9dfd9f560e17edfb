import { Client, types } from 'pg'
import type { TestProject } from 'vitest/node'
import type { Timeouts } from '../../../server/timeouts.ts'
import { startPostgres } from './start-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a PostgreSQL that all tests of a run share. Each test makes its own databases there. */
    postgresUrl: string
  }
}

/** Global setup of a project. */
export default async function setup(project: TestProject) {
  // Syncs nothing to the disk: only a machine that loses its power would notice.
  const { url, remove } = await startPostgres('-F')
  project.provide('postgresUrl', url)
  return remove
}

/** Timeouts that no busy machine reaches. */
export const LONG_TIMEOUTS: Timeouts = { connectMs: 150_000, answerMs: 150_000, lockMs: 0, fileLockMs: 0 }

/** Runs SQL over a connection of its own, like another process. Row ids are numbers. */
export async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client(url)
  client.setTypeParser(types.builtins.INT8, Number)
  await client.connect()
  return client
    .query<Row>(text)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

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
