import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const MAIN = join(import.meta.dirname, '..', '..', '..', 'server', 'main.ts')

/** Overrides settings that the machine may have. */
const SETTINGS = {
  ...{ DATABASE_URL: '', HOST: '', PORT: '0', RATE_LIMIT: 'off', PUBLIC_ORIGIN: '', TRUST_PROXY: '' },
  ...{ NOTIFY_SMTP_URL: '', NOTIFY_FROM: '', NOTIFY_TO: '', NOTIFY_WEBHOOK_URL: '', NOTIFY_WEBHOOK_SECRET: '' },
  NOTIFY_WEBHOOK_SECRET_OLD: '',
}

export type ServerProcess = Awaited<ReturnType<typeof startServer>>

/** Runs `node server/main.ts` in `folder`, and waits until it has told where it listens and where its data is. */
export async function startServer(folder: string, env: NodeJS.ProcessEnv = {}) {
  const { child, exited, written } = spawnServer(folder, env)
  const output = () => written.stdout + written.stderr
  while (!written.stdout.includes('Data in ')) {
    const ended = await Promise.race([once(child.stdout, 'data').then(() => false), exited.then(() => true)])
    if (ended) throw new Error(`The server did not start: ${output()}`)
  }
  const port = /Listening on \S+:(\d+)/.exec(written.stdout)?.[1]
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid,
    /** All that it has written so far. */
    output,
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    /** The exit code, or null if a signal ended it. */
    exited,
  }
}

/** The process, what it has written, and its exit code. */
export function spawnServer(
  cwd: string,
  env: NodeJS.ProcessEnv,
  limit: { timeout?: number; killSignal?: NodeJS.Signals } = {},
) {
  const child = spawn(process.execPath, [MAIN], {
    cwd,
    env: { ...process.env, ...SETTINGS, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...limit,
  })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk) => {
      written[name] += chunk
    })
  }
  const exited = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
  return { child, exited, written }
}
