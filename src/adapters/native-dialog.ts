import { type ContactDialog, createContactDialog } from '../domain/contact-dialog.ts'
import { CLOSES_DIALOG, CONTACT_DIALOG_ID, DIALOG_OPEN, FIELD_ID_PREFIX, OPENS_DIALOG } from '../element-names.ts'

type SetOpen = (open: boolean) => void

/** The first field of the form, whatever its kind. Inputs that extensions and proxies add have no such id. */
const FIRST_FIELD = `form :is(input, select, textarea)[id^=${FIELD_ID_PREFIX}]`

/** React may replace the dialog. So each use finds it anew, and all listeners are at the window. */
const findDialog = () => document.querySelector<HTMLDialogElement>(`dialog#${CONTACT_DIALOG_ID}`)

/**
 * Creates the contact dialog that the boot script and the app share. It opens and closes the native `<dialog>`, also
 * before the app runs. If 'Contact us' is pressed before the HTML is `parsed`, the dialog opens as soon as the HTML is complete.
 */
export function nativeDialog(parsed: Promise<unknown>): ContactDialog {
  const state = createContactDialog()

  function set(open: boolean) {
    const dialog = findDialog()
    // Compare the element too, because React may have replaced the open dialog with a new one, which is closed.
    const isSet = open === state.current() && open === dialog?.open
    if (!dialog || isSet) return
    // While the dialog fades out, nobody can use it, and screen readers do not find it.
    dialog.inert = !open
    document.documentElement.toggleAttribute(DIALOG_OPEN, open)
    state.set(open)
    if (open) {
      dialog.showModal()
      // Wait until React has drawn the form. By then `tryAgain` of src/ui/contact/contact-form.tsx has focused Submit.
      queueMicrotask(() => focusForm(dialog))
    } else {
      dialog.close()
      // Safari does not focus a pressed button, so it can't return the focus to the button by itself.
      document.querySelector<HTMLElement>(OPENS_DIALOG.selector)?.focus()
    }
  }

  listenToButtons((open) => parsed.then(() => set(open)))
  listenToClosingByBrowser(set)
  listenToMask(set)
  ignoreRestOfOpeningPress(state.current)
  return { ...state, set }
}

/** Moves the focus to the first field, unless the focus is in the form already. */
function focusForm(dialog: HTMLDialogElement) {
  const hasFocus = dialog.querySelector('form')?.contains(document.activeElement)
  if (!hasFocus) dialog.querySelector<HTMLElement>(FIRST_FIELD)?.focus()
}

/** The buttons 'Contact us' and Close, wherever they are on the page. */
function listenToButtons(set: SetOpen) {
  addEventListener('click', ({ target, detail }) => {
    if (!(target instanceof Element)) return
    if (target.closest(OPENS_DIALOG.selector)) set(true)
    // The second click of a double click on 'Contact us' may hit Close in the dialog that has just opened.
    else if (target.closest(CLOSES_DIALOG.selector) && detail <= 1) set(false)
  })
}

/**
 * Before a browser closes the dialog for Escape, it sends `cancel`. The listener prevents that, and calls `set`
 * instead. If a browser has closed the dialog without asking, it sends `close`. The listeners capture, as neither event
 * bubbles.
 */
function listenToClosingByBrowser(set: SetOpen) {
  const isDialog = (target: EventTarget | null): target is HTMLDialogElement =>
    target instanceof HTMLDialogElement && target === findDialog()
  const onCancel = (event: Event) => {
    if (!isDialog(event.target)) return
    event.preventDefault()
    set(false)
  }
  // The event comes late. If the dialog is open again by then, nothing changes.
  const onClose = ({ target }: Event) => isDialog(target) && set(target.open)
  addEventListener('cancel', onCancel, { capture: true })
  addEventListener('close', onClose, { capture: true })
}

/**
 * The mask is the dark area around the dialog. A press there has the dialog element itself as its target. The press has
 * to begin and end there, so that a visitor who selects text and leaves the dialog with the pointer does not close it.
 */
function listenToMask(set: SetOpen) {
  let pressBeganOnMask = false
  addEventListener('mousedown', ({ target, button, detail }) => {
    pressBeganOnMask = target === findDialog() && button === 0 && detail === 1
  })
  addEventListener('mouseup', ({ target }) => pressBeganOnMask && target === findDialog() && set(false))
}

/** The beginning of a double click, or of a held Enter, opens the dialog. The rest must do nothing in the dialog. */
function ignoreRestOfOpeningPress(isOpen: () => boolean) {
  // The second press of a double click would take the focus from the first field.
  addEventListener('mousedown', (event) => {
    const isField = event.target instanceof Element && event.target.matches('input, textarea')
    if (event.detail > 1 && isOpen() && !isField) event.preventDefault()
  })
  // A held Enter repeats, and would submit the empty form.
  addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.repeat && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
  })
}
