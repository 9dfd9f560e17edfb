import { browserTimers } from '../adapters/browser.ts'
import { startLoadingDots } from '../domain/loading-text.ts'
import type { Cancel } from '../domain/ports.ts'

/** When a button that waits says why. */
const LOADING_TEXT_DELAY_MS = 500

/** Marks a form whose press waits for the app as busy; after a while 'Loading' stands beside it. Returns what undoes it. */
export function holdForm(form: HTMLFormElement): Cancel {
  const text = document.querySelector<HTMLElement>(`[data-loading-of=${form.name}]`)
  const dots = text?.querySelector('span')
  let stopDots: Cancel = () => {}
  const stop = browserTimers.after(LOADING_TEXT_DELAY_MS, () => {
    text?.toggleAttribute('hidden', false)
    stopDots = startLoadingDots(browserTimers, (shown) => dots?.replaceChildren(shown))
  })
  setBusy(form, true)
  return () => {
    stop()
    stopDots()
    dots?.replaceChildren()
    text?.toggleAttribute('hidden', true)
    setBusy(form, false)
  }
}

/** A form is sent as it was when it was pressed, so its texts can only be read meanwhile. */
function setBusy(form: HTMLFormElement, busy: boolean) {
  for (const control of form.elements) {
    if (control instanceof HTMLButtonElement) control.ariaBusy = String(busy)
    else if ('readOnly' in control) control.readOnly = busy
  }
}
