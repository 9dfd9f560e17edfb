import { type ContactDialog, createContactDialog } from '../domain/contact-dialog.ts'
import { CLOSES_DIALOG, CONTACT_DIALOG_ID, DIALOG_OPEN, FIELD_ID_PREFIX, OPENS_DIALOG } from '../element-names.ts'

/** Also a choice, which has several inputs; no input that a proxy or an extension has put before it has such an id. */
const FIRST_FIELD = `form :is(input, select, textarea)[id^=${FIELD_ID_PREFIX}]`

/** React may replace the dialog, so it is looked for at each use, and all listeners are at the window. */
const findDialog = () => document.querySelector<HTMLDialogElement>(`dialog#${CONTACT_DIALOG_ID}`)

/**
 * The shared service of the contact dialog, which shows and closes the native `<dialog>`. Its buttons work from the first
 * paint on, as soon as the page is parsed.
 */
export function nativeDialog(parsed: Promise<unknown>): ContactDialog {
  const state = createContactDialog()

  function set(open: boolean) {
    const dialog = findDialog()
    // A dialog that React has replaced is closed, although it should be open.
    const isDone = open === state.current() && open === dialog?.open
    if (!dialog || isDone) return
    // While the dialog fades out, assistive technology must not find it.
    dialog.inert = !open
    document.documentElement.toggleAttribute(DIALOG_OPEN, open)
    state.set(open)
    if (open) {
      dialog.showModal()
      // A form that begins anew takes the focus when React has drawn it, in the microtask that React has just queued.
      queueMicrotask(() => focusForm(dialog))
    } else {
      dialog.close()
      // Safari does not return the focus by itself, because it never focuses a pressed button.
      document.querySelector<HTMLElement>(OPENS_DIALOG.selector)?.focus()
    }
  }

  onPressOfButtons((open) => parsed.then(() => set(open)))
  onCloseByBrowser(set)
  onPressOfMask(() => set(false))
  ignoreRestOfOpeningPress(state.current)
  return { ...state, set }
}

/** Moves the focus to the first field, unless the form has the focus already: 'Try again' has moved it to Submit. */
function focusForm(dialog: HTMLDialogElement) {
  const hasFocus = dialog.querySelector('form')?.contains(document.activeElement)
  if (!hasFocus) dialog.querySelector<HTMLElement>(FIRST_FIELD)?.focus()
}

function onPressOfButtons(set: (open: boolean) => void) {
  addEventListener('click', ({ target, detail }) => {
    if (!(target instanceof Element)) return
    if (target.closest(OPENS_DIALOG.selector)) set(true)
    // The second click of a double click on 'Contact us' may hit the close icon of the dialog that has opened.
    else if (target.closest(CLOSES_DIALOG.selector) && detail <= 1) set(false)
  })
}

/** Escape asks whether the dialog may close; a browser may also close it without asking. Neither event bubbles. */
function onCloseByBrowser(set: (open: boolean) => void) {
  const isDialog = (target: EventTarget | null): target is HTMLDialogElement =>
    target instanceof HTMLDialogElement && target === findDialog()
  const atCancel = (event: Event) => {
    if (!isDialog(event.target)) return
    event.preventDefault()
    set(false)
  }
  // By the time of this event the dialog may be open again.
  const atClose = ({ target }: Event) => isDialog(target) && set(target.open)
  addEventListener('cancel', atCancel, { capture: true })
  addEventListener('close', atClose, { capture: true })
}

/** A press on the mask has the dialog element itself as its target, where it begins and where it ends. */
function onPressOfMask(close: () => void) {
  let pressBeganOnMask = false
  addEventListener('mousedown', ({ target, button, detail }) => {
    pressBeganOnMask = target === findDialog() && button === 0 && detail === 1
  })
  addEventListener('mouseup', ({ target }) => pressBeganOnMask && target === findDialog() && close())
}

/** The press that opens the dialog may go on after that, and then hits what has opened. */
function ignoreRestOfOpeningPress(isOpen: () => boolean) {
  // The second press of a double click would take the focus from the first field.
  addEventListener('mousedown', (event) => {
    const isField = event.target instanceof Element && event.target.matches('input, textarea')
    if (event.detail > 1 && isOpen() && !isField) event.preventDefault()
  })
  // An Enter that is held would submit the empty form.
  addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.repeat && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
  })
}
