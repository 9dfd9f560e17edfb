import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeBuiltPage } from './built-page.ts'

const MAIN = join(import.meta.dirname, '..', '..', 'server', 'main.ts')

/** What the machine may have set otherwise. */
const OURS = {
  ...{ DATABASE_URL: '', HOST: '', PORT: '0', RATE_LIMIT: 'off', PUBLIC_ORIGIN: '', TRUST_PROXY: '' },
  ...{ NOTIFY_SMTP_URL: '', NOTIFY_FROM: '', NOTIFY_TO: '', NOTIFY_WEBHOOK_URL: '', NOTIFY_WEBHOOK_SECRET: '' },
  NOTIFY_WEBHOOK_SECRET_OLD: '',
}

export type ServerProcess = {
  /** Where it listens. */
  readonly origin: string
  readonly pid: number | undefined
  /** All that it has said so far. */
  output(): string
  signal(signal: NodeJS.Signals): void
  /** Leaves what it says from now on in the pipe, until it has ended. */
  stopReading(): void
  /** The exit code, or null if a signal ended it. */
  readonly exited: Promise<number | null>
}

/** Runs `node server/main.ts` in `folder`, and waits until it has told where it listens and where its data is. */
export async function startServer(folder: string, env: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
  const { child, exited, said } = run(folder, env)
  const output = () => said.stdout + said.stderr
  while (!said.stdout.includes('Data in ')) {
    const ended = await Promise.race([once(child.stdout, 'data').then(() => false), exited.then(() => true)])
    if (ended) throw new Error(`The server did not start: ${output()}`)
  }
  const port = /Listening on \S+:(\d+)/.exec(said.stdout)?.[1]
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid,
    output,
    signal: (signal) => child.kill(signal),
    stopReading: () => void child.stdout.pause(),
    exited,
  }
}

/** A folder to run servers in, with a built page and nothing else. */
export type ServerFolder = {
  readonly folder: string
  readonly databaseFile: string
  start(env?: NodeJS.ProcessEnv): Promise<ServerProcess>
  /** Runs a server that is expected not to start. */
  runToEnd(env?: NodeJS.ProcessEnv): Promise<{ code: number | null; stdout: string; stderr: string }>
  /** Ends what still runs in it, and removes it. */
  remove(): Promise<void>
}

export function makeServerFolder(): ServerFolder {
  const folder = mkdtempSync(join(tmpdir(), 'server-'))
  const started: ServerProcess[] = []
  writeBuiltPage(join(folder, 'dist'))
  return {
    folder,
    databaseFile: join(folder, 'data', 'leads.db'),
    async start(env) {
      const server = await startServer(folder, env)
      started.push(server)
      return server
    },
    async runToEnd(env = {}) {
      const { exited, said } = run(folder, env, { timeout: 20_000, killSignal: 'SIGKILL' })
      return { code: await exited, ...said }
    },
    async remove() {
      for (const server of started) server.signal('SIGKILL')
      await Promise.all(started.map(({ exited }) => exited))
      rmSync(folder, { recursive: true })
    },
  }
}

function run(cwd: string, env: NodeJS.ProcessEnv, limit: { timeout?: number; killSignal?: NodeJS.Signals } = {}) {
  const child = spawn(process.execPath, [MAIN], {
    cwd,
    env: { ...process.env, ...OURS, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...limit,
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    said.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.stderr += chunk
  })
  const exited = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
  return { child, exited, said }
}
