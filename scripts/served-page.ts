import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export type ServedPage = {
  readonly url: string
  close(): Promise<void>
}

/** The page as it is built, served by the real server on a free port over an empty database that goes with it. */
export async function servePage(): Promise<ServedPage> {
  const folder = mkdtempSync(join(tmpdir(), 'served-page-'))
  // A build that runs meanwhile empties the original.
  cpSync('dist', join(folder, 'dist'), { recursive: true })
  const server = spawn(process.execPath, [resolve('server/main.ts')], {
    cwd: folder,
    env: { ...process.env, PORT: '0', RATE_LIMIT: 'off', DATABASE_URL: `sqlite:${join(folder, 'leads.db')}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(server, 'exit')
  async function close() {
    server.kill('SIGTERM')
    await exited
    rmSync(folder, { recursive: true })
  }

  const [greeting] = await Promise.race([once(server.stdout, 'data'), exited])
  const url = /http:\S+/.exec(String(greeting))?.[0]
  if (url) return { url, close }
  await close()
  throw new Error('The server did not start.')
}
