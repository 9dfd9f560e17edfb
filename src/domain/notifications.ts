import { createObservable, type Observable } from './observable.ts'
import type { Cancel, Timers } from './ports.ts'

export type Severity = 'info' | 'warn' | 'error' | 'success'

export const DEFAULT_LIFE_MS = 3000

/** What a notification says. `life` is in milliseconds. A sticky notification stays until it is closed or replaced. */
export type Notification = {
  readonly severity: Severity
  readonly summary: string
  readonly detail: string
  readonly life: number | 'sticky'
}

/** A notification on the page. Each time that it is shown it has a new key, even with the same text. */
export type ShownNotification = Notification & {
  readonly key: number
  readonly closable: boolean
  /** Whether the time of its life is stopped. */
  readonly paused: boolean
}

/** Why a notification is paused: the pointer is on it, the focus is in it, or the page is hidden. */
type PauseReason = 'pointer' | 'focus' | 'hidden'

export type NotificationCenter = Observable<ShownNotification | null> & {
  /** Shows a notification in place of the open one. While the contact dialog is open, the notification waits. */
  show(notification: Notification): void
  /** Adds or removes a reason to pause. When no reason is left, the life begins again in full. */
  setPause(reason: PauseReason, pauses: boolean): void
  close(): void
}

/**
 * Creates the place for notifications. At most one is open. While the contact dialog is open there is none: opening the
 * dialog closes the notification. Of those that come meanwhile, the newest is shown after the dialog has closed.
 */
export function createNotificationCenter(timers: Timers, contactDialog: Observable<boolean>): NotificationCenter {
  const shown = createObservable<ShownNotification | null>(null)
  const pauseReasons = new Set<PauseReason>()
  let waiting: Notification | null = null
  let lastKey = 0
  let cancelLife: Cancel = () => {}

  function replaceWith(notification: ShownNotification | null) {
    cancelLife()
    const { life, paused } = notification ?? {}
    if (typeof life === 'number' && !paused) cancelLife = timers.after(life, () => replaceWith(null))
    shown.set(notification)
  }

  function show(notification: Notification) {
    waiting = contactDialog.current() ? notification : null
    if (waiting) return
    // A new notification starts without these reasons: pointer and focus were on the one that it replaces.
    for (const reason of ['pointer', 'focus'] as const) pauseReasons.delete(reason)
    // A success closes by itself, so it has no Close button.
    const closable = notification.severity !== 'success' || notification.life === 'sticky'
    replaceWith({ ...notification, key: ++lastKey, closable, paused: pauseReasons.size > 0 })
  }

  contactDialog.onChange((open) => {
    if (open) return replaceWith(null)
    // After the delay `show` looks again, because `tryAgain` of contact-form.ts opens the dialog in the same tick.
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
      if (notification && notification.paused !== paused) replaceWith({ ...notification, paused })
    },
    close: () => replaceWith(null),
  }
}
