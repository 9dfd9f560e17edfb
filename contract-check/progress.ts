import type { Progress } from './run.ts'

/** On a terminal one line that counts down; elsewhere a line for each waiting. */
export function createProgress(terminal: NodeJS.WriteStream): Progress & { end(): void } {
  const { isTTY } = terminal
  const show = (text: string) => terminal.write(isTTY ? `\r\x1b[K${text.slice(0, 100)}` : `${text}\n`)
  let counter: NodeJS.Timeout | undefined
  let state = ''
  return {
    trying(done, all, what) {
      clearInterval(counter)
      state = `${done} of ${all} checks done`
      if (isTTY) show(`${state}, now ${what}`)
    },
    waiting(path, seconds) {
      let left = seconds
      const tell = () => show(`${state}; ${path} takes more in ${Math.max(0, left--)} s`)
      clearInterval(counter)
      tell()
      if (isTTY) counter = setInterval(tell, 1000)
    },
    end() {
      clearInterval(counter)
      if (isTTY) show('')
    },
  }
}
