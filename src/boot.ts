// The only script of the first paint. It opens and closes the dialog, loads the app at the first sign of use, and keeps
// the presses that only the app can answer, until the app has mounted.
import { browserTimers } from './adapters/browser.ts'
import { nativeDialog } from './adapters/native-dialog.ts'
import { startLoadingText } from './domain/loading-text.ts'
import { APP_FAILED, CLOSES_DIALOG, LOADING, OPENS_DIALOG, SCRIPTS_RUN } from './page-marks.ts'

const LONGEST_WAIT_MS = 30_000
const SUBMIT = 'button[type=submit]'
/** The buttons that the dialog does not answer. */
const OTHER_BUTTON = `button:not(${OPENS_DIALOG.selector}, ${CLOSES_DIALOG.selector})`

const { documentElement: html } = document
const parsed = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))
const contactDialog = nativeDialog(parsed)
let app: 'absent' | 'coming' | 'mounted' = 'absent'
let failures = 0
/** The pressed buttons, each with what ends the signs of its wait. */
const pending = new Map<HTMLButtonElement, () => void>()

async function startApp() {
  if (app !== 'absent') return
  app = 'coming'
  try {
    await parsed
    const { start }: typeof import('./main.tsx') = await import(/* @vite-ignore */ entry())
    start(contactDialog, appMounted)
  } catch {
    app = 'absent'
    failures += 1
    giveUp()
  }
}

/** The address of the app. Browsers may remember that it could not be loaded, so after a failure it is another one. */
function entry() {
  const { entry = '' } = html.dataset
  return failures ? `${entry}?${failures}` : entry
}

function fetchApp() {
  if (app !== 'absent') return
  const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', href: entry() })
  link.onerror = () => failures++
  document.head.append(link)
}

/** Keeps the submit of a form, by its button or by Enter, or the press of another button. */
function keepPress(event: Event) {
  const { type, target } = event
  if (app === 'mounted' || !(target instanceof Element)) return
  const isSubmit = type === 'submit'
  const button = isSubmit
    ? target.querySelector<HTMLButtonElement>(SUBMIT)
    : target.closest<HTMLButtonElement>(OTHER_BUTTON)
  // The click of a submit button leads to a submit event.
  if (!button || (!isSubmit && button.form && button.type === 'submit')) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (!pending.has(button)) pending.set(button, showWait(button))
  html.removeAttribute(APP_FAILED)
  startApp()
}

/** Shows that a button is busy, and after half a second 'Loading' at its form. The returned function ends that. */
function showWait(button: HTMLButtonElement) {
  const loading = button.form?.querySelector<HTMLElement>(LOADING.selector)
  button.setAttribute('aria-busy', 'true')
  const stopDots = startLoadingText(browserTimers, (dots) => {
    if (!loading) return
    loading.hidden = dots === null
    loading.lastElementChild?.setAttribute('data-dots', dots ?? '')
  })
  const stopClock = browserTimers.after(LONGEST_WAIT_MS, giveUp)
  return () => {
    stopClock()
    stopDots()
    button.setAttribute('aria-busy', 'false')
  }
}

/** Ends every wait, and returns the buttons. */
function endWaits() {
  const buttons = [...pending.keys()]
  for (const end of pending.values()) end()
  pending.clear()
  return buttons
}

/** Lets the styles show that the app can't be loaded, if somebody waits for it. The next press tries again. */
function giveUp() {
  html.toggleAttribute(APP_FAILED, endWaits().length > 0)
}

/** Repeats each pending press once. React may have replaced its form or button. */
function appMounted() {
  app = 'mounted'
  html.removeAttribute(APP_FAILED)
  for (const button of endWaits()) {
    if (button.matches(SUBMIT)) document.forms.namedItem(button.form?.name ?? '')?.requestSubmit()
    else (document.getElementById(button.id) ?? button).click()
  }
}

// An older browser can't run the app, and continues to show the sentence that says so.
if ('at' in Array.prototype && 'showModal' in HTMLDialogElement.prototype) {
  for (const type of ['submit', 'click']) addEventListener(type, keepPress, { capture: true })
  // An Enter that is held on 'Contact us' would go on in the field that gets the focus, and submit the empty form.
  addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.repeat && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
  })
  // The first sign of use starts the app, but only when the browser has drawn its effect.
  const startOnceDrawn = () => requestAnimationFrame(() => browserTimers.after(0, startApp))
  for (const type of ['pointermove', 'keydown', 'focusin', 'click'])
    addEventListener(type, startOnceDrawn, { capture: true, once: true })
  addEventListener('load', () => {
    browserTimers.after(2000, fetchApp)
    browserTimers.after(6000, startApp)
  })
  html.setAttribute(SCRIPTS_RUN, '')
}
