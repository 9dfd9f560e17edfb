// The only script of the first paint. Until the app is there it opens and closes the dialog, holds every other press of a
// button, and brings the app, which then gets the presses as ordinary clicks. docs/behaviour.md, 'Before the app
// has loaded'.
import { browserTimers } from './adapters/browser.ts'
import { connectDialog } from './adapters/native-dialog.ts'
import { createContactDialog } from './domain/contact-dialog.ts'
import { startLoadingText } from './domain/loading-text.ts'

const BUTTON = 'button, [role=button], input:is([type=submit], [type=button], [type=checkbox], [type=radio])'

const contactDialog = createContactDialog()
/** The buttons whose press waits for the app, in their order, each with what ends its wait. */
const held = new Map<HTMLElement, (failed: boolean) => void>()
const parsed = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))
const listening = new AbortController()
let attempts = 0
let starting = false

async function startApp() {
  if (starting || listening.signal.aborted) return
  starting = true
  const attempt = ++attempts
  // Browsers may remember that an import failed: another query is another module.
  const url = `${document.documentElement.dataset.entry}?attempt=${attempt}`
  const app = parsed.then(() => import(/* @vite-ignore */ url)).then(handOver)
  const timeout = new Promise((_, reject) => setTimeout(reject, 30_000))
  await Promise.race([app, timeout]).catch(() => attempt === attempts && letGo(true))
}

function handOver() {
  listening.abort()
  for (const button of letGo(false)) button.click()
}

function letGo(failed: boolean): HTMLElement[] {
  const buttons = [...held.keys()]
  for (const end of held.values()) end(failed)
  held.clear()
  starting = false
  return buttons
}

function press(event: Event) {
  const button = event.target instanceof Element && event.target.closest<HTMLElement>(BUTTON)
  if (!button) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (button.dataset.contactDialog) return contactDialog.set(button.dataset.contactDialog === 'open')
  if (!held.has(button)) held.set(button, hold(button))
  startApp()
}

/** Marks a button as busy, and keeps the texts of its form as they are. */
function hold(button: HTMLElement) {
  const form = button.closest('form')
  const setBusy = (busy: boolean) => {
    button.ariaBusy = String(busy)
    for (const field of form?.elements ?? []) if ('readOnly' in field) field.readOnly = busy
  }
  // Both texts are prerendered in every form. A button outside of forms uses those of the first.
  const [loading, failure] = (form ?? document).querySelectorAll('[data-loading], [data-failure]')
  setBusy(true)
  failure?.toggleAttribute('hidden', true)
  const hideLoading = startLoadingText(browserTimers, (dots) => {
    loading?.toggleAttribute('hidden', dots === null)
    loading?.lastElementChild?.replaceChildren(dots ?? '')
  })
  return (failed: boolean) => {
    setBusy(false)
    hideLoading()
    failure?.toggleAttribute('hidden', !failed)
  }
}

addEventListener('click', press, { capture: true, signal: listening.signal })
for (const sign of ['pointermove', 'pointerdown', 'keydown', 'focusin'])
  addEventListener(sign, startApp, { capture: true, once: true })
addEventListener('load', () => setTimeout(startApp, 2000))
// What a page asked for before it went into the back/forward cache may never come.
addEventListener('pageshow', ({ persisted }) => persisted && letGo(false))
parsed.then(() => connectDialog(contactDialog))
