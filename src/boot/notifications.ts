import { element } from '../adapters/browser.ts'
import type { ActiveNotification, NotificationCenter } from '../domain/notification.ts'
import type { Cancel } from '../domain/ports.ts'
import { NOTIFICATIONS } from '../domain/subscription.ts'
import { makeRoom } from '../ui/make-room.ts'

/** A fresh copy of what the build rendered for the boot script. */
export function cloneTemplate(name: string): HTMLElement {
  const { content } = element(`rendered-${name}`, HTMLTemplateElement)
  const copy = document.importNode(content, true).firstElementChild
  if (copy instanceof HTMLElement) return copy
  throw new Error(`The build rendered no ${name}.`)
}

/** Shows notifications as the app does, in what the build rendered of each, until it is stopped. */
export function showNotifications(notifications: NotificationCenter): Cancel {
  let card: HTMLElement | undefined
  let key: number | undefined
  let takeRoom: Cancel = () => {}

  function show(active: ActiveNotification | null) {
    if (key !== active?.key) {
      remove()
      card = active ? cardOf(active) : undefined
      key = active?.key
    }
    card?.querySelector('div:empty')?.toggleAttribute('hidden', active?.paused)
  }

  function cardOf({ notification }: ActiveNotification): HTMLElement {
    const [name = ''] = Object.entries(NOTIFICATIONS).find(([, one]) => one === notification) ?? []
    const card = cloneTemplate(name)
    card.addEventListener('pointerenter', () => notifications.pause('pointer'))
    card.addEventListener('pointerleave', () => notifications.resume('pointer'))
    let before: EventTarget | null = null
    card.addEventListener('focusin', ({ relatedTarget }) => {
      before = relatedTarget
      notifications.pause('focus')
    })
    card.addEventListener('focusout', () => notifications.resume('focus'))
    card.querySelector('button')?.addEventListener('click', () => {
      const focus = card.closest('dialog') ? before : document.querySelector('input')
      notifications.close()
      if (focus instanceof HTMLElement) focus.focus()
    })
    // A page that arrived in part may have no live region.
    const region = document.getElementById(notification.severity === 'error' ? 'toast-alert' : 'toast-status')
    const place = region ?? document.body
    place.append(card)
    takeRoom = makeRoom(card)
    return card
  }

  function remove() {
    card?.remove()
    takeRoom()
  }

  const stop = notifications.onChange(show)
  return () => {
    stop()
    remove()
  }
}
