import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { SETTINGS } from '../../../server/settings.ts'
import { writeBuiltPage } from './built-page.ts'

/** Overrides settings that the machine may have. */
const UNSET = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '']))

export type ServerFolder = ReturnType<typeof makeServerFolder>

export type ServerProcess = Awaited<ReturnType<ServerFolder['start']>>

/** Makes a folder to run servers in. It contains only a built page of a few bytes. */
export function makeServerFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'server-'))
  const kills: (() => Promise<unknown>)[] = []
  writeBuiltPage(join(folder, 'dist'))

  return {
    folder,
    databaseFile: join(folder, 'data', 'leads.db'),
    /** Runs `node server/main.ts`. Rejects with its exit code and its output if it ends before it listens. */
    async start(env: NodeJS.ProcessEnv = {}) {
      const child = spawn(process.execPath, [resolve('server/main.ts')], {
        cwd: folder,
        env: { ...process.env, ...UNSET, PORT: '0', RATE_LIMIT: 'off', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      const started = Promise.withResolvers<undefined>()
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          output += chunk
          if (output.includes('Listening on ')) started.resolve(undefined)
        })
      }
      /** The exit code, or null if a signal ended it. */
      const exited = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
      kills.push(() => {
        child.kill('SIGKILL')
        return exited
      })
      const code = await Promise.race([started.promise, exited])
      if (code !== undefined) throw new Error(`The server ended with ${code}: ${output}`)
      return {
        origin: `http://127.0.0.1:${/Listening on \S+:(\d+)/.exec(output)?.[1]}`,
        pid: child.pid,
        /** The output of the server so far. */
        output: () => output,
        signal: (signal: NodeJS.Signals) => void child.kill(signal),
        exited,
      }
    },
    /** Ends the servers that still run, and removes the folder. */
    async remove() {
      await Promise.all(kills.map((kill) => kill()))
      rmSync(folder, { recursive: true })
    },
  }
}
