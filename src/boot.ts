// The boot script: the only script that runs before the first paint. It opens and closes the dialog, loads the app when
// the visitor starts to use the page, and lets submitted forms wait for the app.
import { browserTimers } from './adapters/browser.ts'
import { nativeDialog } from './adapters/native-dialog.ts'
import { createWaitingForms } from './adapters/waiting-forms.ts'
import { SCRIPTS_RUN } from './element-names.ts'

const { documentElement: html } = document
const parsed = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))
const contactDialog = nativeDialog(parsed)
const waitingForms = createWaitingForms()
let app: 'absent' | 'coming' | 'mounted' = 'absent'
let failures = 0

// Show the page's own address: a host may send the page for other paths, and our server adds '?' or '&' against cached
// redirects (server/http/paths.ts).
const address = location.origin + html.dataset.path + location.search.replace(/&+$/, '') + location.hash
if (location.href !== address) history.replaceState(null, '', address)

/** The URL of the app's code. A new attempt needs another URL, because Firefox never loads a failed module again. */
const appUrl = () => `${html.dataset.entry}${failures > 0 ? `?${failures}` : ''}`

async function startApp() {
  if (app !== 'absent') return
  app = 'coming'
  try {
    await parsed
    const { start }: typeof import('./main.tsx') = await import(/* @vite-ignore */ appUrl())
    start(contactDialog, appMounted)
  } catch {
    app = 'absent'
    failures += 1
    waitingForms.giveUp()
  }
}

function preloadApp() {
  if (app !== 'absent') return
  document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: appUrl() }))
}

function letFormWait(event: Event) {
  const { target: form } = event
  if (app === 'mounted' || !(form instanceof HTMLFormElement)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  waitingForms.add(form)
  startApp()
}

function appMounted() {
  app = 'mounted'
  waitingForms.submit()
}

// In an older browser the app can't run. There the page still shows the sentence that asks for a current browser.
if ('at' in Array.prototype && 'showModal' in HTMLDialogElement.prototype) {
  addEventListener('submit', letFormWait, { capture: true })
  const listening = new AbortController()
  const startAtUse = ({ type, movementX, movementY }: Partial<PointerEvent>) => {
    // A move of length 0 does not count: browsers report one if the page appears under a pointer that does not move.
    if (type === 'pointermove' && !movementX && !movementY) return
    listening.abort()
    // Wait for a frame, so that the browser first draws what the visitor did, for example opened the dialog.
    requestAnimationFrame(() => browserTimers.after(0, startApp))
  }
  for (const signOfUse of ['pointermove', 'keydown', 'focusin', 'click'])
    addEventListener(signOfUse, startAtUse, { capture: true, signal: listening.signal })
  addEventListener('load', () => {
    browserTimers.after(2000, preloadApp)
    browserTimers.after(6000, startApp)
  })
  html.setAttribute(SCRIPTS_RUN, '')
}
