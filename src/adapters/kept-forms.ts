import { startLoadingText } from '../domain/loading-text.ts'
import type { Cancel } from '../domain/ports.ts'
import { APP_FAILED, LOADING_DOTS, WAITS_FOR_APP } from '../element-names.ts'
import { browserTimers } from './browser.ts'
import { rememberForm } from './changed-document.ts'

const LONGEST_WAIT_MS = 30_000

/** `findAgain` finds the form also if React has rendered it anew. */
type Wait = { readonly end: Cancel; readonly findAgain: () => HTMLFormElement | undefined }

/** Forms that visitors have submitted before the app could send them. Each form waits, and fails, for itself. */
export function createKeptForms() {
  const waits = new Map<HTMLFormElement, Wait>()

  function giveUp(form: HTMLFormElement) {
    waits.get(form)?.end()
    waits.delete(form)
    form.setAttribute(APP_FAILED, '')
  }

  return {
    /** Keeps a form once, however often a visitor submits it. */
    keep(form: HTMLFormElement) {
      if (waits.has(form)) return
      form.removeAttribute(APP_FAILED)
      const endSigns = showWait(form)
      const stopClock = browserTimers.after(LONGEST_WAIT_MS, () => giveUp(form))
      const end = () => {
        endSigns()
        stopClock()
      }
      waits.set(form, { end, findAgain: rememberForm(form) })
    },
    /** Lets the styles show at each form that waits that the app can't be loaded. The next submit tries again. */
    giveUp: () => [...waits.keys()].forEach(giveUp),
    /** Submits each form that waits, once, to the app. */
    submit() {
      for (const form of document.forms) form.removeAttribute(APP_FAILED)
      for (const { end, findAgain } of waits.values()) {
        end()
        findAgain()?.requestSubmit()
      }
      waits.clear()
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
