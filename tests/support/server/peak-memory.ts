import type { ServerProcess } from '../../../scripts/server-process.ts'
import { preload } from './preload.ts'

/** The environment of a process that takes note of the most memory it ever held; on any system, other than `ps`. */
export const watchedMemory = preload(`
  let peak = 0
  setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()) }, 5).unref()
  process.on('exit', () => console.error('peak ' + peak))`)

/** Ends such a server, and gives that figure in MB. */
export async function endAndReadPeak(server: ServerProcess): Promise<number> {
  server.signal('SIGTERM')
  await server.exited
  return Math.round(Number(/^peak (\d+)$/m.exec(server.output())?.[1]) / 1_000_000)
}
