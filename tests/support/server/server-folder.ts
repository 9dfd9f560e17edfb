import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WAIT_TIMEOUT } from '../timeouts.ts'
import { writeBuiltPage } from './built-page.ts'
import { type ServerProcess, spawnServer, startServer } from './server-process.ts'

export type ServerFolder = ReturnType<typeof makeServerFolder>

/** A folder to run servers in, with nothing but a copy of a built page, or one of a few bytes. */
export function makeServerFolder(dist?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'server-'))
  const started: ServerProcess[] = []
  if (dist) cpSync(dist, join(folder, 'dist'), { recursive: true, preserveTimestamps: true })
  else writeBuiltPage(join(folder, 'dist'))
  return {
    folder,
    databaseFile: join(folder, 'data', 'leads.db'),
    async start(env?: NodeJS.ProcessEnv) {
      const server = await startServer(folder, env)
      started.push(server)
      return server
    },
    /** Runs a server that is expected not to start. */
    async runToEnd(env: NodeJS.ProcessEnv = {}) {
      const { exited, written } = spawnServer(folder, env, { timeout: WAIT_TIMEOUT, killSignal: 'SIGKILL' })
      return { code: await exited, ...written }
    },
    /** Ends what still runs in it, and removes it. */
    async remove() {
      for (const server of started) server.signal('SIGKILL')
      await Promise.all(started.map(({ exited }) => exited))
      rmSync(folder, { recursive: true })
    },
  }
}
