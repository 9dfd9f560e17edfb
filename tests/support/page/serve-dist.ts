import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../server/server-process.ts'

/** Serves dist/ with the real server, on a free port and with an empty temporary database. */
export async function serveDist(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'serve-dist-'))
  // A build that runs meanwhile would empty the original.
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
