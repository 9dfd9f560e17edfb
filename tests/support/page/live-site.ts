import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { type ServerProcess, startServer } from '../../../scripts/server-process.ts'

export type LiveSite = {
  /** Stays the same over restarts. */
  readonly origin: string
  /** All that the server has said since it was started last. */
  output(): string
  kill(): Promise<void>
  restart(): Promise<void>
  /** What the database file holds, read by another connection. */
  rows(table: 'subscribers' | 'enquiries'): Record<string, unknown>[]
  remove(): Promise<void>
}

/** The page as it is built into `dist`, served by the real server over a database file of its own. */
export async function startLiveSite(dist = 'dist'): Promise<LiveSite> {
  const folder = mkdtempSync(join(tmpdir(), 'site-'))
  symlinkSync(resolve(dist), join(folder, 'dist'))
  let server: ServerProcess = await startServer(folder)
  const { origin } = server

  async function kill() {
    server.signal('SIGKILL')
    await server.exited
  }

  return {
    origin,
    output: () => server.output(),
    kill,
    async restart() {
      server = await startServer(folder, { PORT: new URL(origin).port })
    },
    rows(table) {
      const db = new Database(join(folder, 'data', 'leads.db'), { readonly: true })
      try {
        return db.prepare<[], Record<string, unknown>>(`select * from ${table} order by created_at`).all()
      } finally {
        db.close()
      }
    },
    async remove() {
      await kill()
      rmSync(folder, { recursive: true })
    },
  }
}
