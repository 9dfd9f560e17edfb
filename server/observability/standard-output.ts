import { fstatSync } from 'node:fs'
import type { LogStream } from './logging.ts'

/** The most characters that may wait for a slow reader. */
const MAX_BUFFERED = 1_000_000

/** How long the end of the process waits for the reader. */
const FLUSH_TIMEOUT_MS = 500

/** The start of a line that systemd takes off as its priority, so that `journalctl -p warning` shows the line. */
const PRIORITIES: ReadonlyMap<string, string> = new Map([
  ['warn', '<4>'],
  ['error', '<3>'],
  ['fatal', '<2>'],
])

/** The priority of a line of this level on a stream that systemd keeps in its journal; nothing on any other. */
export function priorityFor({ fd }: { readonly fd: number }, level = ''): string {
  const { dev, ino } = fstatSync(fd)
  return process.env.JOURNAL_STREAM === `${dev}:${ino}` ? (PRIORITIES.get(level) ?? '') : ''
}

/** Standard output as a log that never blocks the server: with a full disk or a stalled reader, lines are dropped. */
export function openStandardOutput(): LogStream & { flush(): Promise<void> } {
  const { stdout } = process
  stdout.on('error', () => {})
  return {
    write(line) {
      const level = /^\{"level":"(\w+)"/.exec(line)?.[1]
      if (stdout.writableLength < MAX_BUFFERED) stdout.write(priorityFor(stdout, level) + line)
    },
    flush: () =>
      new Promise((resolve) => {
        setTimeout(resolve, FLUSH_TIMEOUT_MS)
        stdout.write('', () => resolve())
      }),
  }
}
