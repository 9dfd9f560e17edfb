// The only script of the first paint. Until the app runs, it opens and closes the dialog, holds the submit of a form, and
// loads the app, in which the form is then submitted. docs/behaviour.md, 'Before the app has loaded'.
import { browserTimers, ignoreRepeatedPresses } from './adapters/browser.ts'
import { controlsOf, giveBack, holdForm, nameOf, type Release, tellFailure } from './adapters/early-forms.ts'
import { nativeDialog } from './adapters/native-dialog.ts'

const parsed = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))
const contactDialog = nativeDialog(parsed)
/** The forms that wait for the app, by their names: React may replace the element. */
const held = new Map<string, Release>()
/** The names of the forms that the app has taken over. */
const takenOver = new Set<string>()
/** Whether the app runs or is on its way. */
let appIsComing = false
let attempts = 0

async function loadApp() {
  if (appIsComing) return
  appIsComing = true
  try {
    await startApp()
  } catch {
    appIsComing = false
    for (const release of held.values()) release('failed')
    held.clear()
  }
}

async function startApp() {
  await parsed
  const { entry = '' } = document.documentElement.dataset
  attempts += 1
  // Browsers may remember an import that failed, so a later attempt has another address.
  const url = attempts > 1 ? `${entry}?${attempts}` : entry
  const { start }: typeof import('./main.tsx') = await import(/* @vite-ignore */ url)
  const early = controlsOf(document)
  start(contactDialog, (form) => {
    const name = form && nameOf(form)
    if (!name || takenOver.has(name)) return
    takenOver.add(name)
    giveBack(early, form)
    tellFailure(form, false)
    const release = held.get(name)
    held.delete(name)
    release?.()
    // React is still busy with the form.
    if (release) queueMicrotask(() => form.requestSubmit())
  })
}

function hold(event: SubmitEvent) {
  const { target: form } = event
  if (!(form instanceof HTMLFormElement)) return
  const name = nameOf(form)
  if (takenOver.has(name)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  const forget = () => held.delete(name)
  if (!held.has(name)) held.set(name, holdForm(form, forget))
  loadApp()
}

// An older browser can't run the app, and continues to show the sentence that says so.
if ('at' in Array.prototype && 'showModal' in HTMLDialogElement.prototype) {
  ignoreRepeatedPresses()
  addEventListener('submit', hold, { capture: true })
  addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-reload]')) location.reload()
  })
  // The first sign of use starts the app, but only when the browser has drawn its effect.
  const loadOnceDrawn = () => requestAnimationFrame(() => browserTimers.after(0, loadApp))
  for (const type of ['pointermove', 'keydown', 'focusin', 'click'])
    addEventListener(type, loadOnceDrawn, { capture: true, once: true })
  addEventListener('load', () => browserTimers.after(6000, loadApp))
  document.documentElement.dataset.scripts = ''
}
