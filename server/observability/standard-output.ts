import type { LogStream } from './logging.ts'

/** Characters that may wait for whoever reads. */
const MOST_WAITING = 1_000_000

/** Milliseconds that they get to be read at the end. */
const LAST_WORDS = 500

/** Standard output as a log that never holds up the server: on a full disk, or with a reader that stalls, lines are lost. */
export function openStandardOutput(): LogStream & { flush(): Promise<void> } {
  const { stdout } = process
  stdout.on('error', () => {})
  return {
    write(line) {
      if (stdout.writableLength < MOST_WAITING) stdout.write(line)
    },
    flush: () =>
      new Promise((resolve) => {
        setTimeout(resolve, LAST_WORDS)
        stdout.write('', () => resolve())
      }),
  }
}
