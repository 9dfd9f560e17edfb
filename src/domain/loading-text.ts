import type { Cancel, Timers } from './ports.ts'

const INTERVAL_MS = 500
const MAX_DOTS = 3

/** Shows 0 to 3 dots in turn, from none on, until it is stopped. */
export function startLoadingDots(timers: Timers, show: (dots: string) => void): Cancel {
  let count = 0
  show('')
  return timers.every(INTERVAL_MS, () => {
    count = (count + 1) % (MAX_DOTS + 1)
    show('.'.repeat(count))
  })
}
