import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from './server-process.ts'

/** Serves the page as it is built with the real server, on a free port and over an empty database that goes with it. */
export async function servePage(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'served-page-'))
  // A build that runs meanwhile empties the original.
  cpSync('dist', join(folder, 'dist'), { recursive: true })
  const server = await startServer(folder)
  return {
    url: server.origin,
    async close() {
      server.signal('SIGTERM')
      await server.exited
      rmSync(folder, { recursive: true })
    },
  }
}
