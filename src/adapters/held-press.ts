import { startLoadingText } from '../domain/loading-text.ts'
import type { Cancel } from '../domain/ports.ts'
import { LOADING, LOADING_FAILED, RELOADS, SUBMIT } from '../page-marks.ts'
import { browserTimers } from './browser.ts'

const LONGEST_WAIT_MS = 30_000

/** A button, or a checkbox or a radio button with its label. */
export type Pressed = HTMLButtonElement | HTMLInputElement

/**
 * Shows that the press of a button waits for the app: the button is busy, and if it submits a form, the fields are
 * read-only, and after half a second the form says that the page is loading. The returned function leaves the HTML as it
 * was rendered. After 30 seconds `giveUp` is called.
 */
export function holdPress(button: Pressed, giveUp: (button: Pressed) => void): Cancel {
  const form = button.matches(SUBMIT) ? button.form : null
  const fields = [...(form?.elements ?? [])].filter((control) => 'readOnly' in control)
  if (form) tellFailure(form, false)
  const renderedBusy = button.getAttribute('aria-busy')
  button.setAttribute('aria-busy', 'true')
  for (const field of fields) field.readOnly = true
  const loading = form?.querySelector(`[${LOADING}]`)
  const dots = Object.assign(document.createElement('span'), { ariaHidden: 'true' })
  const stopLoadingText = startLoadingText(browserTimers, (text) => {
    dots.textContent = text
    if (text === null) loading?.replaceChildren()
    // Added once, so that it is announced once.
    else if (!dots.isConnected) loading?.append(loading.getAttribute(LOADING) ?? '', dots)
  })
  const cancelGiveUp = browserTimers.after(LONGEST_WAIT_MS, () => giveUp(button))
  return () => {
    cancelGiveUp()
    stopLoadingText()
    if (renderedBusy === null) button.removeAttribute('aria-busy')
    else button.setAttribute('aria-busy', renderedBusy)
    for (const field of fields) field.readOnly = false
  }
}

/** Says at a form, or at all of them, that the app can't be loaded, with a button to load the page again; or no longer. */
export function tellFailure(scope: ParentNode, failed: boolean): void {
  for (const place of scope.querySelectorAll(`[${LOADING_FAILED}]`))
    place.textContent = failed ? place.getAttribute(LOADING_FAILED) : ''
  for (const button of scope.querySelectorAll<HTMLElement>(RELOADS.selector)) {
    button.hidden = !failed
    if (failed) button.scrollIntoView({ block: 'nearest' })
  }
}
