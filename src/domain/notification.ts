import { createObservable, type Observable } from './observable.ts'
import type { Cancel, Timers } from './ports.ts'

export type Severity = 'info' | 'warn' | 'error' | 'success'

export const DEFAULT_LIFE_MS = 3000

/** What a visitor is told. Its life is in milliseconds or, until it is closed or replaced, 'sticky'. */
export type Notification = {
  readonly severity: Severity
  readonly summary: string
  readonly detail: string
} & ({ readonly life: number; readonly closable: boolean } | { readonly life: 'sticky'; readonly closable: true })

/** One showing of a notification. The same notification shown again is another showing, with another key. */
export type ActiveNotification = {
  readonly key: number
  readonly notification: Notification
  readonly paused: boolean
}

/** What keeps a notification from running out. */
type PauseReason = 'pointer' | 'focus' | 'hidden page'

export type NotificationCenter = Observable<ActiveNotification | null> & {
  /** Replaces the notification that is open, and starts a life in full. */
  show(notification: Notification): void
  /** Stops the life; it begins anew, in full, when the last reason is gone. */
  pause(reason: PauseReason): void
  resume(reason: PauseReason): void
  close(): void
  /** Closes what tells of an earlier attempt to subscribe or to write, because a new one begins. */
  beginAttempt(): void
  onAttempt(listener: () => void): Cancel
}

/** Creates a center in which at most one notification is open. */
export function createNotificationCenter(timers: Timers): NotificationCenter {
  const active = createObservable<ActiveNotification | null>(null)
  const attempts = createObservable(0)
  const reasons = new Set<PauseReason>()
  let shown = 0
  let cancelLife: Cancel = () => {}

  function replace(next: ActiveNotification | null) {
    cancelLife()
    const life = next?.notification.life
    if (typeof life === 'number' && !next?.paused) cancelLife = timers.after(life, () => replace(null))
    active.set(next)
  }

  function reasonsChanged() {
    const showing = active.current()
    const paused = reasons.size > 0
    if (showing && showing.paused !== paused) replace({ ...showing, paused })
  }

  return {
    current: active.current,
    onChange: active.onChange,
    show(notification) {
      // Pointer and focus were at the notification that goes.
      reasons.delete('pointer')
      reasons.delete('focus')
      shown += 1
      replace({ key: shown, notification, paused: reasons.size > 0 })
    },
    pause(reason) {
      reasons.add(reason)
      reasonsChanged()
    },
    resume(reason) {
      reasons.delete(reason)
      reasonsChanged()
    },
    close: () => replace(null),
    beginAttempt() {
      replace(null)
      attempts.set(attempts.current() + 1)
    },
    onAttempt: attempts.onChange,
  }
}
