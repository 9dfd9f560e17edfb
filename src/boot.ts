// The only script of the first paint. It opens and closes the dialog, loads the app at the first sign of use, and keeps
// submitted forms until the app has mounted.
import { browserTimers } from './adapters/browser.ts'
import { createKeptForms } from './adapters/kept-forms.ts'
import { nativeDialog } from './adapters/native-dialog.ts'
import { SCRIPTS_RUN } from './element-names.ts'

const { documentElement: html } = document
const parsed = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))
const contactDialog = nativeDialog(parsed)
const keptForms = createKeptForms()
let app: 'absent' | 'coming' | 'mounted' = 'absent'
let failures = 0

// The address becomes the page's own. A host may serve the page for other paths too, and a redirect to the page ends with
// a sign, by which a browser does not take it for one that an earlier site had redirected.
const address = location.origin + html.dataset.path + location.search.replace(/&+$/, '') + location.hash
if (location.href !== address) history.replaceState(null, '', address)

/** The address of the app. Firefox remembers that a module did not load, so the next attempt has another address. */
const entry = () => `${html.dataset.entry}${failures > 0 ? `?${failures}` : ''}`

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
    keptForms.giveUp()
  }
}

function fetchApp() {
  if (app !== 'absent') return
  document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: entry() }))
}

function keepSubmit(event: Event) {
  const { target: form } = event
  if (app === 'mounted' || !(form instanceof HTMLFormElement)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  keptForms.keep(form)
  startApp()
}

function appMounted() {
  app = 'mounted'
  keptForms.submit()
}

// An older browser can't run the app, and continues to show the sentence that says so.
if ('at' in Array.prototype && 'showModal' in HTMLDialogElement.prototype) {
  addEventListener('submit', keepSubmit, { capture: true })
  const waitingForUse = new AbortController()
  const startAtUse = ({ type, movementX, movementY }: Partial<PointerEvent>) => {
    // Browsers report a pointer that rests where the page appears as a move of no length.
    if (type === 'pointermove' && !movementX && !movementY) return
    waitingForUse.abort()
    // The browser first draws what the sign of use has changed, such as the open dialog.
    requestAnimationFrame(() => browserTimers.after(0, startApp))
  }
  for (const signOfUse of ['pointermove', 'keydown', 'focusin', 'click'])
    addEventListener(signOfUse, startAtUse, { capture: true, signal: waitingForUse.signal })
  addEventListener('load', () => {
    browserTimers.after(2000, fetchApp)
    browserTimers.after(6000, startApp)
  })
  html.setAttribute(SCRIPTS_RUN, '')
}
