import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { writeBuiltPage } from './built-page.ts'

/** The environment of a Node process that runs `code` before its program. */
export const preload = (code: string): { NODE_OPTIONS: string } => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
})

/** Overrides settings that the machine may have. */
const SETTINGS = {
  ...{ DATABASE_URL: '', HOST: '', PORT: '0', RATE_LIMIT: 'off', PUBLIC_ORIGIN: '', TRUST_PROXY: '' },
  ...{ NOTIFY_SMTP_URL: '', NOTIFY_FROM: '', NOTIFY_TO: '', NOTIFY_WEBHOOK_URL: '', NOTIFY_WEBHOOK_SECRET: '' },
  ...{ NOTIFY_SMTP_CA: '', NOTIFY_WEBHOOK_SECRET_OLD: '' },
}

export type ServerFolder = ReturnType<typeof makeServerFolder>

export type ServerProcess = Awaited<ReturnType<ServerFolder['start']>>

/** A folder to run servers in, with nothing but a copy of a built page, or one of a few bytes. */
export function makeServerFolder(dist?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'server-'))
  const ends: (() => Promise<unknown>)[] = []
  if (dist) cpSync(dist, join(folder, 'dist'), { recursive: true, preserveTimestamps: true })
  else writeBuiltPage(join(folder, 'dist'))

  /** Runs `node server/main.ts` until it has told where its data is, or has ended. */
  async function run(env: NodeJS.ProcessEnv = {}) {
    const child = spawn(process.execPath, [resolve('server/main.ts')], {
      cwd: folder,
      env: { ...process.env, ...SETTINGS, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const written = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].on('data', (chunk) => {
        written[name] += chunk
      })
    }
    /** The exit code, or null if a signal ended it. */
    const exited = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
    ends.push(() => {
      child.kill('SIGKILL')
      return exited
    })
    let hasEnded = false
    while (!hasEnded && !written.stdout.includes('Data in '))
      hasEnded = await Promise.race([once(child.stdout, 'data').then(() => false), exited.then(() => true)])
    return { child, exited, written, hasEnded }
  }

  return {
    folder,
    databaseFile: join(folder, 'data', 'leads.db'),
    async start(env?: NodeJS.ProcessEnv) {
      const { child, exited, written, hasEnded } = await run(env)
      const output = () => written.stdout + written.stderr
      if (hasEnded) throw new Error(`The server did not start: ${output()}`)
      const port = /Listening on \S+:(\d+)/.exec(written.stdout)?.[1]
      return {
        origin: `http://127.0.0.1:${port}`,
        pid: child.pid,
        /** All that it has written so far. */
        output,
        signal: (signal: NodeJS.Signals) => void child.kill(signal),
        exited,
      }
    },
    /** Runs a server that is expected not to start. */
    async runToEnd(env?: NodeJS.ProcessEnv) {
      const { exited, written, hasEnded } = await run(env)
      if (!hasEnded) throw new Error(`The server started: ${written.stdout}`)
      return { code: await exited, ...written }
    },
    /** Ends what still runs in it, and removes it. */
    async remove() {
      await Promise.all(ends.map((end) => end()))
      rmSync(folder, { recursive: true })
    },
  }
}
