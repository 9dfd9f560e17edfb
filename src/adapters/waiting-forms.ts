import { startLoadingText } from '../domain/loading-text.ts'
import type { Cancel } from '../domain/ports.ts'
import { APP_FAILED, LOADING_DOTS, WAITS_FOR_APP } from '../element-names.ts'
import { browserTimers } from './browser.ts'
import { rememberForm } from './changed-document.ts'

const LONGEST_WAIT_MS = 30_000

/** The wait of one form. `findForm` also finds the new form if React has replaced the form meanwhile. */
type Wait = { readonly end: Cancel; readonly findForm: () => HTMLFormElement | undefined }

/** The forms that were submitted, and wait for the app. Each form has its own time limit, and shows its own error. */
export function createWaitingForms() {
  const waits = new Map<HTMLFormElement, Wait>()

  function giveUpForm(form: HTMLFormElement) {
    waits.get(form)?.end()
    waits.delete(form)
    form.setAttribute(APP_FAILED, '')
  }

  return {
    /** Lets a form wait. However often the visitor submits it, it waits once. */
    add(form: HTMLFormElement) {
      if (waits.has(form)) return
      form.removeAttribute(APP_FAILED)
      const hideWait = showWait(form)
      const stopClock = browserTimers.after(LONGEST_WAIT_MS, () => giveUpForm(form))
      const end = () => {
        hideWait()
        stopClock()
      }
      waits.set(form, { end, findForm: rememberForm(form) })
    },
    /** Lets each waiting form show that the app can't be loaded. The next submit tries again. */
    giveUp: () => [...waits.keys()].forEach(giveUpForm),
    /** Submits each waiting form once, now that the app runs. */
    submit() {
      for (const form of document.forms) form.removeAttribute(APP_FAILED)
      for (const { end, findForm } of waits.values()) {
        end()
        findForm()?.requestSubmit()
      }
      waits.clear()
    },
  }
}

/** Shows that a form waits, by a busy button and after half a second by 'Loading'. The returned function hides both. */
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
