import { type ContactDialog, createContactDialog } from '../domain/contact-dialog.ts'
import { CLOSES_DIALOG, OPENS_DIALOG } from '../page-marks.ts'

/**
 * The shared service of the contact dialog, which shows and closes the native `<dialog>`. Its buttons work
 * from the first paint on. All listeners are at the window, because React may replace the dialog.
 */
export function nativeDialog(parsed: Promise<unknown>): ContactDialog {
  const state = createContactDialog()
  const service: ContactDialog = {
    ...state,
    set(open) {
      const dialog = document.querySelector('dialog')
      if (!dialog || (open === state.current() && open === dialog.open)) return
      // While the dialog fades out, assistive technology must not find it.
      dialog.inert = !open
      if (open) dialog.showModal()
      state.set(open)
      if (open) return dialog.querySelector<HTMLElement>('form input')?.focus()
      dialog.close()
      // Safari does not return the focus by itself, because it never focuses a pressed button.
      document.querySelector<HTMLElement>(OPENS_DIALOG.selector)?.focus()
    },
  }

  // The second press of a double click on 'Contact us' hits what has opened: there it does not move the focus.
  let openedByThisPress = false
  addEventListener('click', async ({ target, detail }) => {
    const opens = target instanceof Element && target.closest(OPENS_DIALOG.selector)
    const closes = target instanceof Element && target.closest(CLOSES_DIALOG.selector)
    // The second click of a double click on 'Contact us' may hit the close icon of the dialog that has opened.
    if (!opens && (!closes || detail > 1)) return
    openedByThisPress = Boolean(opens)
    await parsed
    service.set(!closes)
  })

  // Escape.
  onDialog('cancel', (_, event) => {
    event.preventDefault()
    service.set(false)
  })
  // The browser may close the dialog without a cancel event.
  onDialog('close', (dialog) => service.set(dialog.open))

  // A press on the mask has the dialog element itself as its target.
  let pressBeganOnMask = false
  addEventListener('mousedown', (event) => {
    const { target, button, detail } = event
    pressBeganOnMask = target instanceof HTMLDialogElement && button === 0 && detail === 1
    if (detail === 1) openedByThisPress = false
    else if (openedByThisPress) event.preventDefault()
  })
  addEventListener('mouseup', ({ target }) => {
    if (pressBeganOnMask && target instanceof HTMLDialogElement) service.set(false)
  })
  return service
}

/** Listens to an event that does not bubble. */
function onDialog(type: 'cancel' | 'close', listener: (dialog: HTMLDialogElement, event: Event) => void) {
  const listen = (event: Event) => event.target instanceof HTMLDialogElement && listener(event.target, event)
  addEventListener(type, listen, { capture: true })
}
