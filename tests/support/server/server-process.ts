import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServerProcess, spawnServer, startServer } from '../../../scripts/server-process.ts'
import { writeBuiltPage } from '../page/built-page.ts'

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
      const { exited, written } = spawnServer(folder, env, { timeout: 20_000, killSignal: 'SIGKILL' })
      return { code: await exited, ...written }
    },
    async remove() {
      for (const server of started) server.signal('SIGKILL')
      await Promise.all(started.map(({ exited }) => exited))
      rmSync(folder, { recursive: true })
    },
  }
}
