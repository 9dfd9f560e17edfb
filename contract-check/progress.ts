import type { Progress } from './run.ts'

/** On a terminal one line that counts down; elsewhere a line for each waiting. */
export function createProgress(terminal: NodeJS.WriteStream): Progress & { end(): void } {
  const { isTTY } = terminal
  let counter: NodeJS.Timeout | undefined
  let state = ''
  const show = (text: string) => terminal.write(isTTY ? `\r\x1b[K${text.slice(0, 100)}` : `${text}\n`)
  const stop = () => clearInterval(counter)
  return {
    trying(done, all, what) {
      stop()
      state = `${done} of ${all} checks done`
      if (isTTY) show(`${state}, now ${what}`)
    },
    waiting(path, seconds) {
      const until = Date.now() + seconds * 1000
      const tell = () =>
        show(`${state}; ${path} takes more in ${Math.max(0, Math.ceil((until - Date.now()) / 1000))} s`)
      stop()
      tell()
      if (isTTY) counter = setInterval(tell, 1000)
    },
    end() {
      stop()
      if (isTTY) show('')
    },
  }
}
