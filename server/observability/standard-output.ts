import type { LogStream } from './logging.ts'

/** Characters that may wait for a slow reader. */
const MAX_BUFFERED = 1_000_000

/** For the reader at the end of the process. */
const FLUSH_TIMEOUT_MS = 500

/** Standard output as a log that never blocks the server: lines are dropped if the disk is full or the reader stalls. */
export function openStandardOutput(): LogStream & { flush(): Promise<void> } {
  const { stdout } = process
  stdout.on('error', () => {})
  return {
    write(line) {
      if (stdout.writableLength < MAX_BUFFERED) stdout.write(line)
    },
    flush: () =>
      new Promise((resolve) => {
        setTimeout(resolve, FLUSH_TIMEOUT_MS)
        stdout.write('', () => resolve())
      }),
  }
}
