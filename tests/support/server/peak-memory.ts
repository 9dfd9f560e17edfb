import type { ServerProcess } from '../../../scripts/server-process.ts'

const WATCH = `
  let peak = 0
  const look = () => { peak = Math.max(peak, process.memoryUsage.rss()) }
  look()
  setInterval(look, 5).unref()
  process.on('exit', () => console.error('peak ' + peak))
`

/** The environment of a process that takes note of the most memory it ever held; on any system, other than `ps`. */
export const watchedMemory = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(WATCH)}` }

/** Ends such a server, and gives that figure in MB. */
export async function endAndReadPeak(server: ServerProcess): Promise<number> {
  server.signal('SIGTERM')
  await server.exited
  return readPeak(server.output())
}

/** What such a process said at its end, in MB. */
const readPeak = (output: string): number => Math.round(Number(/^peak (\d+)$/m.exec(output)?.[1]) / 1_000_000)
