// The only script of the first paint. It does what can't wait for the app: it opens the dialog, sends Subscribe, holds
// Submit, and brings the app, which then answers each press as an ordinary submit. docs/behaviour.md, B45 to B50.
import { browserCookies, element, ignoreRepeatedPresses } from '../adapters/browser.ts'
import { createEarlySubscription } from '../adapters/early-subscription.ts'
import { holdForm, showFormStatus } from '../adapters/form-status.ts'
import { connectDialog } from '../adapters/native-dialog.ts'
import { createContactDialog } from '../domain/contact-dialog.ts'
import { isEmail } from '../domain/email.ts'
import { ENQUIRY_TEXT } from '../domain/texts.ts'
import { emailInput, refuseEmail, tellSubscription } from './email-field.ts'
import './hand-over.ts'
import { loadApp, prefetchApp } from './load-app.ts'

/** For so long after the load nothing competes with the picture. */
const PREFETCH_DELAY_MS = 1000

const ACTIVATION_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin']

/** What was pressed, and the app is still to answer: a form that waits for it, or one with an invalid address. */
type Press = { readonly waits: boolean; undo(): void }

const presses = new Map<string, Press>()
/** Absent again after a failure: the next press tries again. */
let app: 'absent' | 'loading' | 'there' = 'absent'
const contactDialog = createContactDialog()
const subscription = createEarlySubscription(browserCookies)
const listening = new AbortController()

async function startApp() {
  if (app !== 'absent') return
  app = 'loading'
  try {
    await loadApp()
    app = 'there'
  } catch {
    app = 'absent'
    for (const [name, press] of presses) if (press.waits) tellWithoutApp(name, press)
    return
  }
  listening.abort()
  const pressed = [...presses.keys()]
  for (const name of pressed) undo(name)
  for (const name of pressed) document.forms.namedItem(name)?.requestSubmit()
}

function submit(event: Event) {
  const form = event.target
  // A translator or an extension may bring forms of its own.
  if (!(form instanceof HTMLFormElement) || !form.closest('#root, #contact')) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (presses.get(form.name)?.waits) return
  undo(form.name)
  presses.set(form.name, press(form))
  startApp()
}

function press(form: HTMLFormElement): Press {
  if (form.name === 'subscribe') {
    const address = emailInput(form)?.value.trim() ?? ''
    if (!isEmail(address)) return { waits: false, undo: refuseEmail(form, () => undo(form.name)) }
    subscription.send(address)
  }
  return { waits: true, undo: holdForm(form) }
}

function undo(name: string) {
  const press = presses.get(name)
  presses.delete(name)
  press?.undo()
  if (press) showFormStatus(name, '')
}

/** Ends a press in one sentence, in the words of its outcome. */
async function tellWithoutApp(name: string, press: Press) {
  const outcome = name === 'subscribe' && (await subscription.answer())
  if (presses.get(name) !== press) return
  undo(name)
  if (!outcome) return showFormStatus(name, ENQUIRY_TEXT.failed)
  subscription.forget()
  tellSubscription(outcome)
}

/** Out of the back/forward cache nothing waits: what was sent may never be answered there, nor the app's import. */
function comeBack({ persisted }: PageTransitionEvent) {
  if (!persisted) return
  if (app === 'loading') app = 'absent'
  for (const [name, { waits }] of presses) if (waits) undo(name)
  subscription.forget()
}

function click(event: Event) {
  const button = event.target instanceof Element && event.target.closest('[aria-haspopup=dialog], [data-closes-dialog]')
  if (!button) return
  event.stopImmediatePropagation()
  contactDialog.set(button.ariaHasPopup === 'dialog')
}

window.handOver = { contactDialog, fetch: subscription.fetch }
const { signal } = listening
// What is told of a form without the app ends with its next submit, whoever answers that.
addEventListener('submit', ({ target }) => target instanceof HTMLFormElement && showFormStatus(target.name, ''), true)
contactDialog.onChange(() => presses.has('contact') || showFormStatus('contact', ''))
addEventListener('submit', submit, { capture: true, signal })
addEventListener('click', click, { capture: true, signal })
addEventListener('pageshow', comeBack, { signal })
for (const type of ACTIVATION_EVENTS) addEventListener(type, startApp, { capture: true, once: true })
ignoreRepeatedPresses()
addEventListener('DOMContentLoaded', () =>
  connectDialog(element('contact-dialog', HTMLDialogElement), element('notifications', HTMLElement), contactDialog),
)

// A host may serve this page for other paths too: the address becomes the page's own.
const { dataset } = document.documentElement
const { path = '/' } = dataset
if (location.pathname !== path) history.replaceState(null, '', path + location.search + location.hash)

// The picture fades in once it is whole; until then its colours stand there.
dataset.loading = ''
addEventListener('load', () => {
  delete dataset.loading
  setTimeout(prefetchApp, PREFETCH_DELAY_MS)
})
