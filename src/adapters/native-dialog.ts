import type { DialogState } from '../domain/contact-dialog.ts'
import { element } from './browser.ts'

const TAB_STOPS = 'a[href], :is(input, select, textarea, button):enabled'

/**
 * Shows the contact dialog of index.html as the shared service says, and tells the service what closes it. What is outside
 * of a modal dialog can be neither heard nor pressed: notifications move into it.
 */
export function connectDialog(service: DialogState): void {
  const dialog = element('contact-dialog', HTMLDialogElement)
  const notifications = element('notifications', HTMLElement)
  /** 'opener' is the button that opened the dialog: the second press of a double click on it comes to the dialog. */
  let pressStartedOn: 'mask' | 'content' | 'opener' = 'content'

  function syncDialog() {
    const open = service.current()
    if (open === dialog.open) return
    keepScrollbarRoom(open)
    if (open) {
      pressStartedOn = 'opener'
      showAtFirstField(dialog)
      // While the dialog can be seen, so that their animations go on.
      move(notifications, dialog, dialog.firstChild)
    } else {
      move(notifications, document.body, null)
      leave(dialog)
    }
  }

  // All listeners are told before the dialog opens or closes.
  service.onChange(() => queueMicrotask(syncDialog))
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    service.set(false)
  })
  // The browser may close it without asking.
  dialog.addEventListener('close', () => service.set(dialog.open))
  // The mask is the dialog itself: all else in it is a child.
  dialog.addEventListener('mousedown', (event) => {
    const onMask = event.target === dialog
    const isSecondPress = pressStartedOn === 'opener' && event.detail > 1
    // The second press of a double one was meant for what stood here before.
    if (!isSecondPress) pressStartedOn = onMask && event.button === 0 && event.detail === 1 ? 'mask' : 'content'
    // The focus stays where it is.
    if (onMask || isSecondPress) event.preventDefault()
  })
  dialog.addEventListener('mouseup', ({ target }) => {
    if (pressStartedOn === 'mask' && target === dialog) service.set(false)
  })
  dialog.addEventListener('keydown', (event) => {
    const { key, code, shiftKey, target } = event
    // The platform's own order goes on to the buttons of the browser. WebKit may not name the key of Shift+Tab.
    if (key !== 'Tab' && code !== 'Tab') return
    const stops = [...dialog.querySelectorAll<HTMLElement>(TAB_STOPS)].filter((stop) => !stop.closest('[inert]'))
    const [first, last] = [stops[0], stops.at(-1)]
    if (target !== (shiftKey ? first : last)) return
    event.preventDefault()
    ;(shiftKey ? last : first)?.focus()
  })
  syncDialog()
}

/** Otherwise the browser would focus what scrolls, and lay the dialog out for that too. A form that is sent shows it at Submit. */
function showAtFirstField(dialog: HTMLDialogElement) {
  const field = dialog.querySelector('input:read-write, [type=submit]')
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
function move(element: HTMLElement, parent: HTMLElement, before: Node | null) {
  if (parent.moveBefore) parent.moveBefore(element, before)
  else parent.insertBefore(element, before)
}
