import { createObservable, type Observable } from './observable.ts'
import type { Cancel, Timers } from './ports.ts'

export type Severity = 'info' | 'warn' | 'error' | 'success'

export const DEFAULT_LIFE_MS = 3000

/** A notification for a visitor. Its life is in milliseconds, or 'sticky': until it is closed or replaced. */
export type Notification = {
  readonly severity: Severity
  readonly summary: string
  readonly detail: string
  readonly life: number | 'sticky'
}

/** One showing of a notification. The same notification shown again is another showing, with another key. */
export type ShownNotification = Notification & {
  readonly key: number
  readonly closable: boolean
  /** Whether its life stands still. */
  readonly paused: boolean
}

/** A reason why the life of a notification stands still: what is at it, or that the page is hidden. */
type PauseReason = 'pointer' | 'focus' | 'hidden'

export type NotificationCenter = Observable<ShownNotification | null> & {
  /** Shows a notification for its whole life, in place of the open one, as soon as the contact dialog is closed. */
  show(notification: Notification): void
  /** Lets the life stand still for a reason, or no longer. When no reason is left, the life begins again in full. */
  setPause(reason: PauseReason, pauses: boolean): void
  close(): void
}

/**
 * Creates a center in which at most one notification is open, and none while the contact dialog is open: opening the
 * dialog closes it, and the newest notification that comes meanwhile waits until the dialog closes.
 */
export function createNotificationCenter(timers: Timers, contactDialog: Observable<boolean>): NotificationCenter {
  const shown = createObservable<ShownNotification | null>(null)
  const pauseReasons = new Set<PauseReason>()
  let waiting: Notification | null = null
  let lastKey = 0
  let cancelLife: Cancel = () => {}

  function replaceBy(notification: ShownNotification | null) {
    cancelLife()
    const { life, paused } = notification ?? {}
    if (typeof life === 'number' && !paused) cancelLife = timers.after(life, () => replaceBy(null))
    shown.set(notification)
  }

  function show(notification: Notification) {
    waiting = contactDialog.current() ? notification : null
    if (waiting) return
    // Pointer and focus were at the replaced notification.
    for (const reason of ['pointer', 'focus'] as const) pauseReasons.delete(reason)
    // Thanks need no answer: they go by themselves.
    const closable = notification.severity !== 'success' || notification.life === 'sticky'
    replaceBy({ ...notification, key: ++lastKey, closable, paused: pauseReasons.size > 0 })
  }

  contactDialog.onChange((open) => {
    if (open) return replaceBy(null)
    // 'Try again' closes the dialog and opens it at once: what waits goes on waiting.
    timers.after(0, () => waiting && show(waiting))
  })

  return {
    current: shown.current,
    onChange: shown.onChange,
    show,
    setPause(reason, pauses) {
      pauseReasons[pauses ? 'add' : 'delete'](reason)
      const notification = shown.current()
      const paused = pauseReasons.size > 0
      if (notification && notification.paused !== paused) replaceBy({ ...notification, paused })
    },
    close: () => replaceBy(null),
  }
}
