import { createContactDialog, type DialogState } from '../domain/contact-dialog.ts'
import { CLOSES_DIALOG, OPENS_DIALOG, OUR_FIELD, SUBMIT } from '../page-marks.ts'

/** A label with its text field and its error. */
const FIELD = '[data-scope=field][data-part=root]'
const TAB_STOPS = 'a[href], :is(input, select, textarea, button):enabled'

/**
 * The shared service of the contact dialog, which shows and closes the native `<dialog>`. Its listeners hear of a change
 * while the dialog can be seen. Marked buttons press it, from the first paint on.
 */
export function nativeDialog(parsed: Promise<unknown>): DialogState {
  const state = createContactDialog()
  const service: DialogState = {
    ...state,
    set(open) {
      const dialog = document.querySelector('dialog')
      // After a fault, development may have rendered another dialog, which is closed.
      if (!dialog || (open === state.current() && open === dialog.open)) return
      keepScrollbarRoom(open)
      // While it fades out, assistive technology must not find it.
      dialog.inert = !open
      if (open) dialog.showModal()
      state.set(open)
      if (open) focusFirstField(dialog)
      else close(dialog)
    },
  }
  addEventListener('click', async ({ target, detail }) => {
    const opens = target instanceof Element && target.closest(OPENS_DIALOG.selector)
    const closes = target instanceof Element && target.closest(CLOSES_DIALOG.selector)
    // The second press of a double click was meant for the element that was here before the dialog opened.
    if (!opens && (!closes || detail > 1)) return
    await parsed
    service.set(!closes)
  })
  parsed.then(() => {
    const dialog = document.querySelector('dialog')
    if (dialog) listen(dialog, service)
  })
  return service
}

/** Moves the focus to the first field, or to Submit while the fields are read-only. */
function focusFirstField(dialog: HTMLDialogElement) {
  dialog.querySelector<HTMLElement>(`${OUR_FIELD}:read-write, ${SUBMIT}`)?.focus()
}

/** Closes the dialog. Safari would not return the focus, because it never focuses a pressed button. */
function close(dialog: HTMLDialogElement) {
  dialog.close()
  document.querySelector<HTMLElement>(OPENS_DIALOG.selector)?.focus()
}

/** Lets Escape and a press on the mask close the dialog, and keeps Tab in it. */
function listen(dialog: HTMLDialogElement, service: DialogState) {
  let pressBeganOnMask = false
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    service.set(false)
  })
  // The browser may close the dialog without a cancel event.
  dialog.addEventListener('close', () => service.set(dialog.open))
  // The mask is the dialog element itself, so a press on it has the dialog as its target.
  dialog.addEventListener('mousedown', (event) => {
    const { target, button, detail } = event
    pressBeganOnMask = target === dialog && button === 0 && detail === 1
    // The focus stays in its field, also at the second press of a double click on the button that opened the dialog.
    const isInField = target instanceof Element && target.closest('input, textarea, select, label')
    if (target === dialog || (detail > 1 && !isInField)) event.preventDefault()
  })
  dialog.addEventListener('mouseup', ({ target }) => {
    if (pressBeganOnMask && target === dialog) service.set(false)
  })
  // A browser scrolls only the line of the caret into view, not the whole text area with its label and its error.
  dialog.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return
    requestAnimationFrame(() => {
      for (const part of [target.closest(FIELD), target]) part?.scrollIntoView({ block: 'nearest' })
    })
  })
  dialog.addEventListener('keydown', (event) => {
    const { key, code, shiftKey, target } = event
    // Otherwise Tab would go on from the dialog to the browser's own buttons. WebKit may not name the key of Shift+Tab.
    if (key !== 'Tab' && code !== 'Tab') return
    const stops = [...dialog.querySelectorAll<HTMLElement>(TAB_STOPS)].filter(
      (stop) => !stop.closest('[inert], [hidden]'),
    )
    const [firstStop, lastStop] = [stops[0], stops.at(-1)]
    if (target !== (shiftKey ? firstStop : lastStop)) return
    event.preventDefault()
    ;(shiftKey ? lastStop : firstStop)?.focus()
  })
}

/** Keeps the room of the scrollbar while the dialog is open, so that the page does not shift without the bar. */
function keepScrollbarRoom(open: boolean) {
  const { style, clientWidth } = document.documentElement
  style.scrollbarGutter = open && innerWidth > clientWidth ? 'stable' : ''
}
