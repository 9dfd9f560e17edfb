import { startLoadingText } from '../domain/loading-text.ts'
import { browserTimers } from './browser.ts'

const LONGEST_WAIT_MS = 30_000

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | HTMLButtonElement

/** Ends the wait of a form. After a failure a sentence at the form says so. */
export type Release = (failure?: 'failed') => void

export const nameOf = (form: HTMLFormElement): string => form.getAttribute('name') ?? ''

/** The element of a form for the texts below; ui/form-status.tsx renders it, with the texts. */
const statusOf = (form: HTMLFormElement) => form.querySelector<HTMLElement>('[data-early=status]')

/**
 * Marks the Submit button of a form as busy and its fields as read-only, and says there that the page is loading, until
 * the returned function ends that. After 30 seconds the form is released as after a failure, and `onLate` is called.
 */
export function holdForm(form: HTMLFormElement, onLate: () => void): Release {
  const status = statusOf(form)
  const dots = Object.assign(document.createElement('span'), { ariaHidden: 'true' })
  markBusy(form, true)
  tellFailure(form, false)
  const stopLoadingText = startLoadingText(browserTimers, (text) => {
    dots.textContent = text
    // Added once, so that it is announced once.
    if (text !== null && !status?.firstChild) status?.append(status.dataset.loading ?? '', dots)
  })
  const cancelLate = browserTimers.after(LONGEST_WAIT_MS, () => {
    onLate()
    release('failed')
  })
  function release(failure?: 'failed') {
    cancelLate()
    stopLoadingText()
    markBusy(form, false)
    tellFailure(form, failure === 'failed')
  }
  return release
}

/** Says at a form that the app can't be loaded, with a button to load the page again, or takes that away. */
export function tellFailure(form: HTMLFormElement, failed: boolean): void {
  const status = statusOf(form)
  const reload = form.querySelector('[data-reload]')
  if (status) status.textContent = (failed && status.dataset.failed) || null
  reload?.toggleAttribute('hidden', !failed)
  if (failed) reload?.scrollIntoView({ block: 'nearest' })
}

function markBusy(form: HTMLFormElement, busy: boolean) {
  for (const control of form.elements) if ('readOnly' in control) control.readOnly = busy
  form.querySelector('[type=submit]')?.setAttribute('aria-busy', String(busy))
}

/** The controls of all forms, and which of them has the focus. */
export function controlsOf(document: Document) {
  const controls = [...document.querySelectorAll<Control>('form :is(input, textarea, select, button)')]
  return { controls, focused: document.activeElement }
}

/**
 * Gives texts and focus back to a form that React has rendered anew, because a translation or an extension had changed
 * the HTML: each control gets the text of the old control of its name. In a form that React could take over, nothing
 * changes.
 */
export function giveBack({ controls, focused }: ReturnType<typeof controlsOf>, form: HTMLFormElement): void {
  const lost = controls.filter(
    (control) => !control.isConnected && control.form && nameOf(control.form) === nameOf(form),
  )
  for (const control of form.querySelectorAll<Control>('input, textarea, select, button')) {
    const namesakes = lost.filter(({ localName, name }) => localName === control.localName && name === control.name)
    // Extensions put controls of the same name beside a field, which are usually empty.
    const old = namesakes.find(({ value }) => value) ?? namesakes[0]
    if (!old) continue
    if (old.value) {
      control.value = old.value
      // Updates what depends on the text, such as the count of its characters.
      control.dispatchEvent(new Event('input', { bubbles: true }))
    }
    if (namesakes.some((each) => each === focused)) moveFocus(old, control)
  }
}

function moveFocus(old: Control, control: Control) {
  control.focus({ preventScroll: true })
  // A field of type email does not tell its selection: its caret then stands at the end.
  if (!('selectionStart' in old && 'selectionStart' in control) || old.selectionStart === null) return
  control.setSelectionRange(old.selectionStart, old.selectionEnd, old.selectionDirection ?? 'none')
}
