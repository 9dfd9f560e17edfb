import { createObservable, type Observable } from './observable.ts'
import type { Cancel, Timers } from './ports.ts'

export type Severity = 'info' | 'warn' | 'error' | 'success'

export const DEFAULT_LIFE_MS = 3000

export type Notification = {
  readonly severity: Severity
  readonly summary: string
  readonly detail: string
  /** Milliseconds on the screen, or until somebody closes it. */
  readonly life: number | 'sticky'
  readonly closable: boolean
}

/** One showing of a notification. The same notification shown again is another showing, with another key. */
export type ActiveNotification = {
  readonly key: number
  readonly notification: Notification
  readonly paused: boolean
}

/** What keeps a notification from running out. */
type Hold = 'pointer' | 'focus'

export type NotificationCenter = Observable<ActiveNotification | null> & {
  /** Clears the one before and starts a fresh life. */
  show(notification: Notification): void
  /** Stops the life; it begins anew, in full, when the last hold is released. */
  hold(hold: Hold): void
  release(hold: Hold): void
  close(): void
}

/** One slot: two notifications can't be open at once. */
export function createNotificationCenter(timers: Timers): NotificationCenter {
  const slot = createObservable<ActiveNotification | null>(null)
  const holds = new Set<Hold>()
  let shown = 0
  let cancelLife: Cancel = () => {}

  function put(next: ActiveNotification | null) {
    cancelLife()
    const life = next?.notification.life
    if (typeof life === 'number' && !next?.paused) cancelLife = timers.after(life, () => put(null))
    slot.set(next)
  }

  function holdsChanged() {
    const showing = slot.current()
    const paused = holds.size > 0
    if (showing && showing.paused !== paused) put({ ...showing, paused })
  }

  return {
    current: slot.current,
    onChange: slot.onChange,
    show(notification) {
      holds.clear()
      shown += 1
      put({ key: shown, notification, paused: false })
    },
    hold(hold) {
      holds.add(hold)
      holdsChanged()
    },
    release(hold) {
      holds.delete(hold)
      holdsChanged()
    },
    close: () => put(null),
  }
}
