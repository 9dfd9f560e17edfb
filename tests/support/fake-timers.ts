import type { Cancel, Timers } from '../../src/domain/ports.ts'

type Alarm = { due: number; readonly interval: number | null; readonly run: () => void }

/** Timers whose time stands still but in `advance`. */
type FakeTimers = Timers & {
  /** Runs what falls due within `ms`, in order, what is started meanwhile included. */
  advance(ms: number): void
  /** How many are running. */
  pending(): number
}

export function createFakeTimers(): FakeTimers {
  const alarms = new Set<Alarm>()
  let now = 0

  function start(delay: number, interval: number | null, run: () => void): Cancel {
    const alarm: Alarm = { due: now + delay, interval, run }
    alarms.add(alarm)
    return () => alarms.delete(alarm)
  }

  return {
    after: (delay, run) => start(delay, null, run),
    every: (interval, run) => start(interval, interval, run),
    pending: () => alarms.size,
    advance(ms) {
      const end = now + ms
      for (;;) {
        const [next] = [...alarms].filter((alarm) => alarm.due <= end).sort((one, other) => one.due - other.due)
        if (!next) break
        now = next.due
        if (next.interval === null) alarms.delete(next)
        else next.due += next.interval
        next.run()
      }
      now = end
    },
  }
}
