import { browserTimers } from '../adapters/browser.ts'
import { startLoadingDots } from '../domain/loading-text.ts'
import type { Cancel } from '../domain/ports.ts'
import { rendered } from './notices.ts'

/** Milliseconds after which a press that is held tells why. */
const LONG = 500

/** A form whose submit waits for the app. */
export type Held = {
  readonly form: HTMLFormElement
  /** Takes the loading text out of the page, or keeps it out. */
  hush(): void
  /** Ends the holding. */
  release(): void
}

/** Marks the form's button as busy. After a while 'Loading' stands beside it. */
export function hold(form: HTMLFormElement): Held {
  let stopDots: Cancel = () => {}
  let text: HTMLElement | undefined
  const stop = browserTimers.after(LONG, () => {
    text = rendered('loading')
    const dots = text.querySelector('span')
    stopDots = startLoadingDots(browserTimers, (shown) => dots?.replaceChildren(shown))
    form.querySelector('[data-loading-place]')?.append(text)
  })

  function hush() {
    stop()
    stopDots()
    text?.remove()
  }

  mark(form, true)
  return {
    form,
    hush,
    release() {
      hush()
      mark(form, false)
    },
  }
}

/** An enquiry is sent as it was when Submit was pressed, so its fields can only be read meanwhile. */
function mark(form: HTMLFormElement, held: boolean) {
  for (const control of form.elements) {
    if (control instanceof HTMLButtonElement) control.ariaBusy = String(held)
    else if (form.closest('dialog') && 'readOnly' in control) control.readOnly = held
  }
}
