// The only script of the first paint. Until the app runs, it opens and closes the dialog, holds all other presses, and
// loads the app, in which it repeats them. docs/behaviour.md, 'Before the app has loaded'.
import { browserTimers, ignoreRepeatedPresses } from './adapters/browser.ts'
import { holdPress, type Pressed, tellFailure } from './adapters/held-press.ts'
import { nativeDialog } from './adapters/native-dialog.ts'
import { followUse, pressInApp, repeatFocus } from './adapters/replaced-elements.ts'
import type { Cancel } from './domain/ports.ts'
import { CLOSES_DIALOG, OPENS_DIALOG, RELOADS, SCRIPTS_RUN, SUBMIT } from './page-marks.ts'

const parsed = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))
const contactDialog = nativeDialog(parsed)
const giveBackUse = followUse()
let app: 'absent' | 'coming' | 'running' = 'absent'
let failures = 0
/** Each button, checkbox or radio button whose press waits for the app, and what ends the wait. */
const held = new Map<Pressed, Cancel>()

async function loadApp() {
  if (app !== 'absent') return
  app = 'coming'
  try {
    await parsed
    const { start }: typeof import('./main.tsx') = await import(/* @vite-ignore */ entry())
    // React takes over the page as it was rendered.
    for (const endWait of held.values()) endWait()
    tellFailure(document, false)
    start(contactDialog, giveBackUse)
    app = 'running'
    repeatFocus()
    for (const button of held.keys()) pressInApp(button)
  } catch {
    app = 'absent'
    failures += 1
    for (const button of held.keys()) giveUp(button)
  }
}

/** The address of the app. Browsers may remember that it could not be loaded, so after a failure it is another one. */
function entry() {
  const { entry = '' } = document.documentElement.dataset
  return failures ? `${entry}?${failures}` : entry
}

function fetchApp() {
  if (app !== 'absent') return
  const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', href: entry() })
  link.onerror = () => {
    failures += 1
  }
  document.head.append(link)
}

/** Holds the submit of a form, by its button or by Enter, and the press of any other button that this script can't answer. */
function hold(event: Event) {
  const button = app === 'running' ? null : pressedButton(event)
  if (!button) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (!held.has(button)) held.set(button, holdPress(button, giveUp))
  loadApp()
}

const OTHER_BUTTON = `button:not(${[OPENS_DIALOG, CLOSES_DIALOG, RELOADS].map(({ selector }) => selector)})`

function pressedButton({ type, target }: Event) {
  if (!(target instanceof Element)) return null
  if (type === 'submit') return target.querySelector<HTMLButtonElement>(SUBMIT)
  // What is ticked can be seen only when the app runs.
  const field = target.closest('label')?.control
  if (field instanceof HTMLInputElement && /checkbox|radio/.test(field.type)) return field
  const button = target.closest<HTMLButtonElement>(OTHER_BUTTON)
  return button?.form && button.type === 'submit' ? null : button
}

function giveUp(button: Pressed) {
  held.get(button)?.()
  held.delete(button)
  if (button.form) tellFailure(button.form, true)
}

// An older browser can't run the app, and continues to show the sentence that says so.
if ('at' in Array.prototype && 'showModal' in HTMLDialogElement.prototype) {
  ignoreRepeatedPresses()
  for (const type of ['submit', 'click']) addEventListener(type, hold, { capture: true })
  addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest(RELOADS.selector)) location.reload()
  })
  // The first sign of use starts the app, but only when the browser has drawn its effect.
  const loadOnceDrawn = () => requestAnimationFrame(() => browserTimers.after(0, loadApp))
  for (const type of ['pointermove', 'keydown', 'focusin', 'click'])
    addEventListener(type, loadOnceDrawn, { capture: true, once: true })
  addEventListener('load', () => {
    browserTimers.after(2000, fetchApp)
    browserTimers.after(6000, loadApp)
  })
  document.documentElement.setAttribute(SCRIPTS_RUN, '')
}
