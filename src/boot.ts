// The only script of the first paint: until the app is there it opens and closes the dialog, holds every other press of
// a button, and brings the app, which then gets the presses as clicks. docs/behaviour.md, 'Before the app has loaded'.
import { browserTimers } from './adapters/browser.ts'
import { connectDialog } from './adapters/native-dialog.ts'
import { createContactDialog } from './domain/contact-dialog.ts'
import { startLoadingText } from './domain/loading-text.ts'

const BUTTON = 'button, [role=button], input:is([type=submit], [type=button], [type=checkbox], [type=radio])'
const contactDialog = createContactDialog()
/** The buttons whose press waits for the app, in the order of the presses, each with what ends its wait. */
const held = new Map<HTMLElement, (failed: boolean) => void>()
const parsed = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))
let lastAttempt = 0
let app: 'absent' | 'on its way' | 'started' = 'absent'

function bringApp() {
  if (app !== 'absent') return
  app = 'on its way'
  const attempt = ++lastAttempt
  const giveUp = () => attempt === lastAttempt && letGo(true)
  // Browsers may remember a failed import, so a further attempt has a query, which makes it another module. The first
  // has none, because the app's own imports name the app without one.
  const url = document.documentElement.dataset.entry + (attempt === 1 ? '' : `?attempt=${attempt}`)
  const load = () => import(/* @vite-ignore */ url)
  parsed.then(load).then(startApp).catch(giveUp).finally(browserTimers.after(30_000, giveUp))
}

function startApp({ start }: typeof import('./main.tsx')) {
  if (app === 'started') return
  app = 'started'
  start(contactDialog)
  const buttons = [...held.keys()]
  letGo(false)
  for (const button of buttons) button.click()
}

function letGo(failed: boolean) {
  if (app === 'on its way') app = 'absent'
  for (const end of held.values()) end(failed)
  held.clear()
}

function press(event: Event) {
  const button = event.target instanceof Element && event.target.closest<HTMLElement>(BUTTON)
  if (!button || app === 'started') return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (button.dataset.contactDialog) return contactDialog.set(button.dataset.contactDialog === 'open')
  if (!held.has(button)) held.set(button, hold(button))
  bringApp()
}

/**
 * Marks a button as busy, makes the fields of its form read-only, and shows the loading text there, or in the first
 * form if it is outside of all. Returns what ends that.
 */
function hold(button: HTMLElement) {
  const form = button.closest('form')
  const [loading, failure] = ['[data-loading]', '[data-failure]'].map((text) => (form ?? document).querySelector(text))
  const stopLoadingText = startLoadingText(browserTimers, (dots) => {
    loading?.toggleAttribute('hidden', dots === null)
    loading?.lastElementChild?.replaceChildren(dots ?? '')
  })
  function show(busy: boolean, failed: boolean) {
    if (!busy) stopLoadingText()
    button.ariaBusy = String(busy)
    for (const field of form?.elements ?? []) if ('readOnly' in field) field.readOnly = busy
    failure?.toggleAttribute('hidden', !failed)
    // The text is put in anew, so that a second failure is announced too.
    failure?.append(...failure.childNodes)
    failure?.scrollIntoView({ block: 'nearest' })
  }
  show(true, false)
  return (failed: boolean) => show(false, failed)
}

addEventListener('click', press, { capture: true })
for (const sign of ['pointermove', 'pointerdown', 'keydown', 'focusin'])
  addEventListener(sign, bringApp, { capture: true, once: true })
addEventListener('load', () => browserTimers.after(2000, bringApp))
// What a page asked for before it went into the back/forward cache may never come.
addEventListener('pageshow', ({ persisted }) => persisted && letGo(false))
parsed.then(() => connectDialog(contactDialog))
