import { rmSync } from 'node:fs'

/** What people read; data alone goes to standard output. */
export const say = (line: string) => process.stderr.write(`${line}\n`)

/** Tells how far long work is, twice a second and at its end. */
export function progress(doing: string, total: number): (done: number) => void {
  let told = performance.now()
  return (done) => {
    if (performance.now() - told < 500 && done < total) return
    told = performance.now()
    say(`${doing}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`)
  }
}

/** However the process ends, but by kill -9. */
export function removeAtEnd(...paths: string[]) {
  process.on('exit', () => {
    for (const path of paths) {
      try {
        rmSync(path, { recursive: true, force: true })
      } catch {
        // Where nothing may be removed, nothing was made.
      }
    }
  })
}
