import { browserTimers } from '../adapters/browser.ts'
import { startLoadingDots } from '../domain/loading-text.ts'
import type { Cancel } from '../domain/ports.ts'
import { cloneTemplate } from './notifications.ts'

/** When a button that waits says why. */
const LOADING_TEXT_DELAY_MS = 500

/** A form whose submit waits for the app. */
export type Pending = {
  readonly form: HTMLFormElement
  /** Takes the loading text out of the page, or keeps it out. */
  hideLoadingText(): void
  /** Makes the form usable again. */
  release(): void
}

/** Marks the form's button as busy. After a while 'Loading' stands beside it. */
export function markPending(form: HTMLFormElement): Pending {
  let stopDots: Cancel = () => {}
  let text: HTMLElement | undefined
  const stop = browserTimers.after(LOADING_TEXT_DELAY_MS, () => {
    text = cloneTemplate('loading')
    const dots = text.querySelector('span')
    stopDots = startLoadingDots(browserTimers, (shown) => dots?.replaceChildren(shown))
    form.querySelector('[data-loading-place]')?.append(text)
  })

  function hideLoadingText() {
    stop()
    stopDots()
    text?.remove()
  }

  setBusy(form, true)
  return {
    form,
    hideLoadingText,
    release() {
      hideLoadingText()
      setBusy(form, false)
    },
  }
}

/** An enquiry is sent as it was when Submit was pressed, so its fields can only be read meanwhile. */
function setBusy(form: HTMLFormElement, busy: boolean) {
  for (const control of form.elements) {
    if (control instanceof HTMLButtonElement) control.ariaBusy = String(busy)
    else if (form.closest('dialog') && 'readOnly' in control) control.readOnly = busy
  }
}
