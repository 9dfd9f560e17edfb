import { startLoadingText } from '../domain/loading-text.ts'
import type { Cancel } from '../domain/ports.ts'
import { LOADING_DOTS, WAITS_FOR_APP } from '../element-names.ts'
import { browserTimers } from './browser.ts'

const LONGEST_WAIT_MS = 30_000

/** Forms that were submitted before the app could send them. `onLongWait` is called when one has waited for 30 s. */
export function createKeptForms(onLongWait: () => void) {
  /** What ends the signs of each form's wait, by the name of the form. */
  const endOfWait = new Map<string, Cancel>()
  return {
    /** Keeps a form once, however often it is submitted. */
    keep(form: HTMLFormElement) {
      if (endOfWait.has(form.name)) return
      const endSigns = showWait(form)
      const stopClock = browserTimers.after(LONGEST_WAIT_MS, onLongWait)
      endOfWait.set(form.name, () => {
        endSigns()
        stopClock()
      })
    },
    /** Ends every wait, and returns the names of the forms. */
    release(): string[] {
      const names = [...endOfWait.keys()]
      for (const end of endOfWait.values()) end()
      endOfWait.clear()
      return names
    },
  }
}

/** Shows that a form is busy, and after half a second 'Loading'. The returned function ends that. */
function showWait(form: HTMLFormElement): Cancel {
  const button = form.querySelector('[type=submit]')
  const loadingDots = form.querySelector(LOADING_DOTS.selector)
  const setBusy = (busy: boolean) => button?.setAttribute('aria-busy', `${busy}`)
  setBusy(true)
  const stopDots = startLoadingText(browserTimers, (dots) => {
    form.toggleAttribute(WAITS_FOR_APP, dots !== null)
    loadingDots?.setAttribute('data-dots', dots ?? '')
  })
  return () => {
    stopDots()
    setBusy(false)
  }
}
