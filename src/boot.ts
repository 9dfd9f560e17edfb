// The only script of the first paint. Until the app runs, it opens and closes the dialog, holds every other press of a
// button, and loads the app, which then gets the presses as clicks. docs/behaviour.md, 'Before the app has loaded'.
import { fetchApp, importApp, isMissing } from './adapters/app-file.ts'
import { browserTimers, ignoreRepeatedPresses, watchComposition } from './adapters/browser.ts'
import { onFirstUse } from './adapters/first-use.ts'
import { type EndOfWait, holdButton, pressAgain, pressedButton, statusOf } from './adapters/held-button.ts'
import { connectDialog } from './adapters/native-dialog.ts'
import { createContactDialog } from './domain/contact-dialog.ts'

const contactDialog = createContactDialog()
/** The buttons whose press waits for the app, in the order of the presses. */
const held = new Map<HTMLElement, { readonly root: Element; readonly end: EndOfWait }>()
/** The roots of the page that the app has taken over. */
const takenOver = new Set<Element>()
const endOfComposition = watchComposition()
const parsed = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))
let app: 'absent' | 'on its way' | 'starting' | 'broken' = 'absent'
/** How often a visitor has waited for the app in vain. */
let failures = 0
let lastAttempt: Promise<void>

function loadApp() {
  if (app !== 'absent') return
  app = 'on its way'
  const attempt = parsed.then(importApp).then(startApp)
  lastAttempt = attempt
  attempt.catch((error) => {
    if (attempt !== lastAttempt) return
    app = app === 'on its way' && isMissing(error) ? 'absent' : 'broken'
    giveUp()
  })
}

/** The app takes over one root after the other. Between two roots the browser draws, and handles presses and keys. */
async function startApp({ start }: typeof import('./main.tsx')) {
  if (app === 'starting') return
  app = 'starting'
  const parts = start(contactDialog)
  // The visitor uses an open dialog, so it comes first.
  for (const { root, hydrate } of contactDialog.current() ? parts.reverse() : parts) {
    if (takenOver.size > 0) await new Promise<void>((resolve) => browserTimers.after(0, resolve))
    await endOfComposition()
    const replacementOf = hydrate()
    takenOver.add(root)
    for (const [button, press] of held) {
      if (press.root !== root) continue
      held.delete(button)
      press.end(null)
      pressAgain(button.isConnected ? button : replacementOf(button))
    }
  }
}

/** Says at each held button that the app can't be loaded. */
function giveUp() {
  if (held.size > 0) failures += 1
  releaseAll(app === 'broken' || failures > 1 ? 'reload' : 'retry')
}

function releaseAll(failure: Parameters<EndOfWait>[0]) {
  for (const { end } of held.values()) end(failure)
  held.clear()
}

function press(event: Event) {
  const button = pressedButton(event.target)
  const root = button?.closest('#root, #contact')
  if (!button || !root) return
  if (button.hasAttribute('data-reload')) return location.reload()
  if (takenOver.has(root)) return statusOf(button)?.replaceChildren()
  event.preventDefault()
  event.stopImmediatePropagation()
  if (button.dataset.contactDialog) return contactDialog.set(button.dataset.contactDialog === 'open')
  if (!held.has(button)) held.set(button, { root, end: holdButton(button, giveUp) })
  if (app === 'broken') giveUp()
  loadApp()
}

// An older browser can't run the app, and continues to show the sentence that says so.
if ('at' in Array.prototype && 'showModal' in HTMLDialogElement.prototype) {
  ignoreRepeatedPresses()
  addEventListener('click', press, { capture: true })
  onFirstUse(fetchApp, loadApp)
  // The answer to a request from before the back/forward cache may never arrive.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    if (app === 'on its way') app = 'absent'
    releaseAll(null)
  })
  parsed.then(() => connectDialog(contactDialog))
  document.documentElement.dataset.scripts = ''
}
