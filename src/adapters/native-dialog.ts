import { type ContactDialog, createContactDialog } from '../domain/contact-dialog.ts'
import { CLOSES_DIALOG, CONTACT_DIALOG_ID, DIALOG_OPEN, FIELD_ID_PREFIX, OPENS_DIALOG } from '../element-names.ts'

/** Also a choice, which has several inputs; no input that a proxy or an extension has put before it has such an id. */
const FIRST_FIELD = `form :is(input, select, textarea)[id^=${FIELD_ID_PREFIX}]`

/**
 * The shared service of the contact dialog, which shows and closes the native `<dialog>`. Its buttons work from the first
 * paint on. All listeners are at the window, because React may replace the dialog.
 */
export function nativeDialog(parsed: Promise<unknown>): ContactDialog {
  const state = createContactDialog()
  const find = () => document.querySelector<HTMLDialogElement>(`dialog#${CONTACT_DIALOG_ID}`)

  function set(open: boolean) {
    const dialog = find()
    if (!dialog || (open === state.current() && open === dialog.open)) return
    // While the dialog fades out, assistive technology must not find it.
    dialog.inert = !open
    document.documentElement.toggleAttribute(DIALOG_OPEN, open)
    if (open) dialog.showModal()
    state.set(open)
    if (open) return dialog.querySelector<HTMLElement>(FIRST_FIELD)?.focus()
    dialog.close()
    // Safari does not return the focus by itself, because it never focuses a pressed button.
    document.querySelector<HTMLElement>(OPENS_DIALOG.selector)?.focus()
  }

  addEventListener('click', async ({ target, detail }) => {
    if (!(target instanceof Element)) return
    const opens = target.closest(OPENS_DIALOG.selector)
    // The second click of a double click on 'Contact us' may hit the close icon of the dialog that has opened.
    const closes = target.closest(CLOSES_DIALOG.selector) && detail <= 1
    if (!opens && !closes) return
    await parsed
    set(Boolean(opens))
  })

  // Both events do not bubble. Escape cancels; a browser may also close the dialog without asking.
  addEventListener(
    'cancel',
    (event) => {
      if (event.target !== find()) return
      event.preventDefault()
      set(false)
    },
    { capture: true },
  )
  addEventListener(
    'close',
    ({ target }) => {
      const dialog = find()
      // By the time of this event the dialog may be open again.
      if (dialog && target === dialog) set(dialog.open)
    },
    { capture: true },
  )

  // A press on the mask has the dialog element itself as its target.
  let pressBeganOnMask = false
  addEventListener('mousedown', (event) => {
    const { target, button, detail } = event
    pressBeganOnMask = target === find() && button === 0 && detail === 1
    // The second press of a double click on 'Contact us' hits what has opened, and must not take the focus there.
    const isField = target instanceof Element && target.matches('input, textarea')
    if (detail > 1 && state.current() && !isField) event.preventDefault()
  })
  addEventListener('mouseup', ({ target }) => pressBeganOnMask && target === find() && set(false))

  // An Enter that is held on 'Contact us' goes on in the field that gets the focus, and would submit the empty form.
  addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.repeat && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
  })
  return { ...state, set }
}
