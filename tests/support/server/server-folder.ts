import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { SETTINGS } from '../../../server/settings.ts'

/** Overrides settings that the machine may have. */
const UNSET = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '']))

/** A build of a few bytes, instead of one that takes seconds. */
const BUILD = {
  'index.html': '<h1>page</h1>',
  'assets/app-1a2b3c.js': 'console.log("asset")',
  '.well-known/security.txt': 'Contact: https://www.example.com',
  'pages.json': `{"/":{"file":"index.html","policy":"default-src 'none'"}}`,
}

/** Makes a folder to run servers in. It contains only the folder `dist`. */
export function makeServerFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'server-'))
  const kills: (() => Promise<unknown>)[] = []
  for (const [name, content] of Object.entries(BUILD)) {
    const file = join(folder, 'dist', name)
    mkdirSync(dirname(file), { recursive: true })
    for (const ending of ['', '.br', '.gz']) writeFileSync(file + ending, content)
  }

  return {
    folder,
    /** Runs `node server/main.ts`. Rejects with its exit code and its output if it ends before it listens. */
    async start(env: NodeJS.ProcessEnv = {}, ...options: readonly string[]) {
      const child = spawn(process.execPath, [resolve('server/main.ts'), ...options], {
        cwd: folder,
        env: { ...process.env, ...UNSET, PORT: '0', RATE_LIMIT: 'off', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      /** The exit code, or null if a signal ended it. */
      const exited = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
      kills.push(() => {
        child.kill('SIGKILL')
        return exited
      })
      let output = ''
      await new Promise<void>((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (chunk) => {
            output += chunk
            if (output.includes('listening at ')) resolve()
          })
        exited.then((code) => reject(new Error(`The server ended with ${code}: ${output}`)), reject)
      })
      return {
        origin: `http://127.0.0.1:${/listening at [^\s"]+:(\d+)/.exec(output)?.[1]}`,
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
