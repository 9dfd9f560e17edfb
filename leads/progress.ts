import { rmSync } from 'node:fs'

/** For people: standard output is for data alone. */
export const printStatus = (line: string) => process.stderr.write(`${line}\n`)

/** Returns a function that prints how far long work is, twice a second and at the end. */
export function progress(task: string, total: number): (done: number) => void {
  let reportedAt = performance.now()
  return (done) => {
    if (performance.now() - reportedAt < 500 && done < total) return
    reportedAt = performance.now()
    printStatus(`${task}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`)
  }
}

/** However the process ends, except by kill -9. */
export function removeOnExit(...paths: string[]) {
  process.on('exit', () => {
    for (const path of paths) {
      try {
        rmSync(path, { recursive: true, force: true })
      } catch {
        // Where nothing can be removed, nothing was created.
      }
    }
  })
}
