import type { DialogState } from '../domain/contact-dialog.ts'
import { element } from './browser.ts'

const TAB_STOPS = 'a[href], :is(input, select, textarea, button):enabled'

/**
 * Shows the contact dialog of index.html as the shared service says, and tells the service what closes it. A service that
 * is connected later takes the place of the one before. What is outside of a modal dialog can be neither heard nor
 * pressed: notifications move into it.
 */
export function connectDialog(service: DialogState): void {
  const dialog = element('contact-dialog', HTMLDialogElement)
  const notifications = element('notifications', HTMLElement)
  // What the last press was: kept at the dialog, because another service may be connected before the button is released.
  const { dataset } = dialog

  function syncDialog() {
    const open = service.current()
    const place = open ? dialog : document.body
    if (notifications.parentElement !== place) moveOrAppend(notifications, place)
    if (open === dialog.open) return
    if (open) dataset.press = 'opened'
    keepScrollbarRoom(open)
    if (open) showAtFirstField(dialog)
    else leave(dialog)
  }

  // All listeners are told before the dialog opens or closes.
  service.onChange(() => queueMicrotask(syncDialog))
  dialog.oncancel = (event) => {
    event.preventDefault()
    service.set(false)
  }
  // The browser may close it without asking.
  dialog.onclose = () => service.set(dialog.open)
  // The overlay is the dialog itself: all else in it is a child.
  dialog.onmousedown = (event) => {
    const onOverlay = event.target === dialog
    // The second press of a double click on the button that opened it is none of the dialog's.
    if (event.detail < 2) dataset.press = onOverlay && event.button === 0 ? 'overlay' : ''
    // The focus stays where it is.
    if (onOverlay || dataset.press === 'opened') event.preventDefault()
  }
  dialog.onmouseup = ({ target }) => {
    if (dataset.press !== 'overlay') return
    dataset.press = ''
    if (target === dialog) service.set(false)
  }
  dialog.onkeydown = (event) => {
    const { key, code, shiftKey, target } = event
    // The platform's own order goes on to the buttons of the browser. WebKit may not name the key of Shift+Tab.
    if (key !== 'Tab' && code !== 'Tab') return
    const stops = [...dialog.querySelectorAll<HTMLElement>(TAB_STOPS)].filter((stop) => !stop.closest('[inert]'))
    const [first, last] = [stops[0], stops.at(-1)]
    if (target !== (shiftKey ? first : last)) return
    event.preventDefault()
    ;(shiftKey ? last : first)?.focus()
  }
  syncDialog()
}

/** Otherwise the browser would focus what scrolls, and lay the dialog out for that too. */
function showAtFirstField(dialog: HTMLDialogElement) {
  const field = dialog.querySelector('input')
  delete dialog.dataset.closing
  field?.toggleAttribute('autofocus', true)
  dialog.showModal()
  field?.toggleAttribute('autofocus', false)
}

/** It goes by transitions, out of the top layer at once: not every browser could keep it there for them. */
async function leave(dialog: HTMLDialogElement) {
  dialog.dataset.closing = ''
  dialog.close()
  // The button that opened it may have been replaced meanwhile, and Safari focuses no button that is pressed.
  const { activeElement, body } = document
  if (activeElement === body || dialog.contains(activeElement))
    document.querySelector<HTMLElement>('[data-contact-dialog=open]')?.focus()
  const transitions = dialog.getAnimations({ subtree: true }).filter((animation) => animation instanceof CSSTransition)
  await Promise.allSettled(transitions.map(({ finished }) => finished))
  delete dialog.dataset.closing
}

/** The page behind can't be scrolled while the dialog is open, and does not shift when its scrollbar goes. */
function keepScrollbarRoom(open: boolean) {
  const { style, clientWidth } = document.documentElement
  style.scrollbarGutter = open && innerWidth > clientWidth ? 'stable' : ''
}

/** Keeps animations and focus where the browser can. */
function moveOrAppend(element: HTMLElement, to: HTMLElement) {
  if (to.moveBefore) to.moveBefore(element, null)
  else to.append(element)
}
