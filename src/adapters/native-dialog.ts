import type { DialogState } from '../domain/contact-dialog.ts'

const TAB_STOPS = 'a[href], :is(input, select, textarea, button):enabled'

/**
 * Shows and closes the contact dialog of index.html as the shared service says, and tells the service when something
 * else closes it. Visitors can't hear or press an element outside an open modal dialog, so notifications move into it.
 */
export function connectDialog(service: DialogState): void {
  const dialog = document.querySelector<HTMLDialogElement>('dialog#contact-dialog')
  // An extension may have removed it.
  if (!dialog) return
  /** Whether the last press may be the first press of a double click on the button that opened the dialog. */
  let openedByLastPress = false
  let pressBeganOnMask = false
  /** Whether this function has shown the dialog. Something else may have closed it since. */
  let isShown = false

  const syncDialog = () => {
    const open = service.current()
    if (open === isShown) return
    isShown = open
    keepScrollbarRoom(open)
    if (open) {
      openedByLastPress = true
      if (!dialog.isConnected) document.body.append(dialog)
      showAtFirstField(dialog)
      // Moved only while the dialog can be seen, so that a notification's animations go on.
      moveNotifications(dialog, dialog.firstChild)
    } else {
      moveNotifications(document.body, null)
      leave(dialog)
    }
  }

  // The microtask lets all listeners hear of a change before the dialog opens or closes.
  service.onChange(() => queueMicrotask(syncDialog))
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    service.set(false)
  })
  // The browser may close the dialog without a cancel event.
  dialog.addEventListener('close', () => service.set(dialog.open))
  // The mask is the dialog element itself, so a press on it has the dialog as its target.
  dialog.addEventListener('mousedown', (event) => {
    const isOnMask = event.target === dialog
    const isSinglePress = event.detail === 1
    if (isSinglePress) openedByLastPress = false
    pressBeganOnMask = isOnMask && isSinglePress && event.button === 0
    // The focus stays in its field, also if the second press of a double click on the opening button lands here.
    if (isOnMask || openedByLastPress) event.preventDefault()
  })
  dialog.addEventListener('mouseup', ({ target }) => {
    if (pressBeganOnMask && target === dialog) service.set(false)
  })
  // Without this, a browser scrolls only the line of the caret into view, not the whole text area.
  dialog.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) requestAnimationFrame(() => target.scrollIntoView({ block: 'nearest' }))
  })
  dialog.addEventListener('keydown', (event) => {
    const { key, code, shiftKey, target } = event
    // Otherwise Tab would go on from the dialog to the browser's own buttons. WebKit may not name the key of Shift+Tab.
    if (key !== 'Tab' && code !== 'Tab') return
    const stops = [...dialog.querySelectorAll<HTMLElement>(TAB_STOPS)].filter((stop) => !stop.closest('[inert]'))
    const [firstStop, lastStop] = [stops[0], stops.at(-1)]
    if (target !== (shiftKey ? firstStop : lastStop)) return
    event.preventDefault()
    ;(shiftKey ? lastStop : firstStop)?.focus()
  })
  syncDialog()
}

/**
 * Opens the dialog with the focus at its first field, or at Submit while the fields are read-only. Without `autofocus`
 * the browser would focus the scrolled element, and need a layout of the dialog to find it.
 */
function showAtFirstField(dialog: HTMLDialogElement) {
  const field = dialog.querySelector('[data-scope=field]:is(input, textarea):read-write, [type=submit]')
  delete dialog.dataset.closing
  field?.toggleAttribute('autofocus', true)
  dialog.showModal()
  field?.toggleAttribute('autofocus', false)
}

/** Closes the dialog. It leaves the top layer at once, where not every browser can keep it, and then fades out. */
async function leave(dialog: HTMLDialogElement) {
  dialog.dataset.closing = ''
  dialog.close()
  // The browser may fail to return the focus: the button may be a new one, and Safari never focuses a pressed button.
  const { activeElement, body } = document
  if (activeElement === body || dialog.contains(activeElement))
    document.querySelector<HTMLElement>('[data-contact-dialog=open]')?.focus()
  const transitions = dialog.getAnimations({ subtree: true }).filter((animation) => animation instanceof CSSTransition)
  await Promise.allSettled(transitions.map(({ finished }) => finished))
  delete dialog.dataset.closing
}

/** Keeps the room of the scrollbar while the dialog is open, so that the page does not shift without the bar. */
function keepScrollbarRoom(open: boolean) {
  const { style, clientWidth } = document.documentElement
  style.scrollbarGutter = open && innerWidth > clientWidth ? 'stable' : ''
}

/**
 * Moves the notifications. If the browser can, it keeps their animations and the focus. An extension may have removed
 * them.
 */
function moveNotifications(parent: HTMLElement, nextSibling: Node | null) {
  const notifications = document.getElementById('notifications')
  if (!notifications) return
  if (parent.moveBefore) parent.moveBefore(notifications, nextSibling)
  else parent.insertBefore(notifications, nextSibling)
}
