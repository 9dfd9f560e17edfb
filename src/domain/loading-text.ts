import type { Cancel, Timers } from './ports.ts'

const INTERVAL_MS = 500
const MAX_DOTS = 3

/** Shows 0 to 3 dots in turn, changed every half second. The returned function stops them, and shows null: no text. */
export function startLoadingText(timers: Timers, show: (dots: string | null) => void): Cancel {
  let count = 0
  const stop = timers.every(INTERVAL_MS, () => {
    show('.'.repeat(count))
    count = (count + 1) % (MAX_DOTS + 1)
  })
  return () => {
    stop()
    show(null)
  }
}
