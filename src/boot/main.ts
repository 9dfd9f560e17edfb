// The only script of the first paint. It does what can't wait for the app: it opens the dialog, sends Subscribe, holds
// Submit, and brings the app, which then answers each press as an ordinary submit. docs/behaviour.md, B45 to B50.
import { browserCookies, element, ignoreRepeatedPresses } from '../adapters/browser.ts'
import { createEarlySubscription } from '../adapters/early-subscription.ts'
import { holdForm, showFormStatus } from '../adapters/form-status.ts'
import { connectDialog } from '../adapters/native-dialog.ts'
import { createContactDialog } from '../domain/contact-dialog.ts'
import { isEmail } from '../domain/email.ts'
import { CLEARS_INPUT, NOTIFICATIONS } from '../domain/subscription.ts'
import { ENQUIRY_TEXT, VALIDATION_TEXT } from '../domain/texts.ts'
import './hand-over.ts'
import { loadApp, prefetchApp } from './load-app.ts'

/** For so long after the load nothing competes with the picture. */
const PREFETCH_DELAY_MS = 1000

const ACTIVATION_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin']

/** What was pressed, and the app is still to answer: a form that waits for it, or one with an invalid address. */
type Press = { readonly waits: boolean; undo(): void }

const presses = new Map<string, Press>()
/** Absent again after a failure: the next press tries again. */
let app: 'absent' | 'loading' = 'absent'
const contactDialog = createContactDialog()
const subscription = createEarlySubscription(browserCookies)
const listening = new AbortController()

async function startApp() {
  if (app === 'loading') return
  app = 'loading'
  try {
    await loadApp()
  } catch {
    app = 'absent'
    for (const [name, press] of presses) if (press.waits) tellWithoutApp(name, press)
    return
  }
  listening.abort()
  const pressed = [...presses.keys()]
  for (const { name } of document.forms) clear(name)
  for (const name of pressed) document.forms.namedItem(name)?.requestSubmit()
}

function submit(event: Event) {
  const form = event.target
  if (!(form instanceof HTMLFormElement)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (presses.get(form.name)?.waits) return
  clear(form.name)
  presses.set(form.name, (form.name === 'subscribe' && sendAddress(form)) || { waits: true, undo: holdForm(form) })
  startApp()
}

/** Sends the address, unless it is none: that is told at once, until it is edited. */
function sendAddress(form: HTMLFormElement): Press | null {
  const input = form.querySelector('input')
  const typed = input?.value ?? ''
  if (isEmail(typed.trim())) {
    subscription.send(typed.trim())
    return null
  }
  const edited = new AbortController()
  const onInput = () => input?.value !== typed && clear(form.name)
  form.addEventListener('input', onInput, { signal: edited.signal })
  showFormStatus(form.name, VALIDATION_TEXT.invalidEmail)
  input?.focus()
  return { waits: false, undo: () => edited.abort() }
}

function clear(name: string) {
  presses.get(name)?.undo()
  presses.delete(name)
  showFormStatus(name, '')
}

/** Ends a press in one sentence, in the words of its outcome. */
async function tellWithoutApp(name: string, press: Press) {
  const outcome = name === 'subscribe' ? await subscription.answer() : null
  if (presses.get(name) !== press) return
  clear(name)
  const input = document.forms.namedItem(name)?.querySelector('input')
  if (outcome && CLEARS_INPUT[outcome] && input) input.value = ''
  const { summary, detail } = (outcome && NOTIFICATIONS[outcome]) ?? { summary: '', detail: '' }
  showFormStatus(name, outcome ? `${summary} ${detail}`.trim() : ENQUIRY_TEXT.failed)
}

function click(event: Event) {
  const button = event.target instanceof Element && event.target.closest('[aria-haspopup=dialog], [data-closes-dialog]')
  if (!button) return
  event.stopImmediatePropagation()
  contactDialog.set(button.ariaHasPopup === 'dialog')
}

window.handOver = { contactDialog, fetch: subscription.fetch }
const { signal } = listening
addEventListener('submit', submit, { capture: true, signal })
addEventListener('click', click, { capture: true, signal })
for (const type of ACTIVATION_EVENTS) addEventListener(type, startApp, { capture: true, once: true })
contactDialog.onChange(() => presses.has('contact') || showFormStatus('contact', ''))
ignoreRepeatedPresses()
addEventListener('DOMContentLoaded', () =>
  connectDialog(element('contact-dialog', HTMLDialogElement), element('notifications', HTMLElement), contactDialog),
)

// A host that serves this page for other paths: only its own is ours.
const { dataset } = document.documentElement
const { path = '/' } = dataset
if (location.pathname !== path) history.replaceState(null, '', path + location.search + location.hash)

// The picture fades in once it is whole; until then its colours stand there.
dataset.loading = ''
addEventListener('load', () => {
  delete dataset.loading
  setTimeout(prefetchApp, PREFETCH_DELAY_MS)
})
