import { createObservable, type Observable } from './observable.ts'
import type { Cancel, Timers } from './ports.ts'

export type Severity = 'info' | 'warn' | 'error' | 'success'

export const DEFAULT_LIFE_MS = 3000

/** A notification for a visitor. Its life is in milliseconds, or 'sticky': until it is closed or replaced. */
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

/** A reason why the life of a notification stands still. */
type PauseReason = 'pointer' | 'focus' | 'hidden page'

export type NotificationCenter = Observable<ActiveNotification | null> & {
  /** Replaces the notification that is open, and starts a life in full. The returned function closes this showing. */
  show(notification: Notification): Cancel
  /** Stops the life. When the last reason is gone, the life begins again in full. */
  pause(reason: PauseReason): void
  resume(reason: PauseReason): void
  close(): void
  /** Closes the notification of an earlier attempt to subscribe or to send an enquiry, because a new attempt begins. */
  beginAttempt(): void
  onAttempt(listener: () => void): Cancel
}

/** Creates a center in which at most one notification is open. */
export function createNotificationCenter(timers: Timers): NotificationCenter {
  const active = createObservable<ActiveNotification | null>(null)
  const attempts = createObservable(0)
  const reasons = new Set<PauseReason>()
  let lastKey = 0
  let cancelLife: Cancel = () => {}

  function replaceBy(showing: ActiveNotification | null) {
    cancelLife()
    const life = showing?.notification.life
    if (typeof life === 'number' && !showing?.paused) cancelLife = timers.after(life, () => replaceBy(null))
    active.set(showing)
  }

  function reasonsChanged() {
    const showing = active.current()
    const paused = reasons.size > 0
    if (showing && showing.paused !== paused) replaceBy({ ...showing, paused })
  }

  return {
    current: active.current,
    onChange: active.onChange,
    show(notification) {
      // Pointer and focus were at the replaced notification.
      reasons.delete('pointer')
      reasons.delete('focus')
      const key = ++lastKey
      replaceBy({ key, notification, paused: reasons.size > 0 })
      return () => {
        if (active.current()?.key === key) replaceBy(null)
      }
    },
    pause(reason) {
      reasons.add(reason)
      reasonsChanged()
    },
    resume(reason) {
      reasons.delete(reason)
      reasonsChanged()
    },
    close: () => replaceBy(null),
    beginAttempt() {
      replaceBy(null)
      attempts.set(attempts.current() + 1)
    },
    onAttempt: attempts.onChange,
  }
}
