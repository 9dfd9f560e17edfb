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
    const address = emailOf(form)?.value.trim() ?? ''
    if (!isEmail(address)) return refuse(form)
    subscription.send(address)
  }
  return { waits: true, undo: holdForm(form) }
}

/** An invalid address is told at once, until it is edited. */
function refuse(form: HTMLFormElement): Press {
  const input = emailOf(form)
  const typed = input?.value
  const edited = new AbortController()
  const onInput = () => input?.value !== typed && undo(form.name)
  form.addEventListener('input', onInput, { signal: edited.signal })
  showFormStatus(form.name, VALIDATION_TEXT.invalidEmail)
  input?.focus()
  return { waits: false, undo: () => edited.abort() }
}

function emailOf(form: HTMLFormElement): HTMLInputElement | null {
  const input = form.elements.namedItem('email')
  return input instanceof HTMLInputElement ? input : null
}

function undo(name: string) {
  const press = presses.get(name)
  presses.delete(name)
  press?.undo()
  if (press) showFormStatus(name, '')
}

/** Ends a press in one sentence, in the words of its outcome. */
async function tellWithoutApp(name: string, press: Press) {
  const told = name === 'subscribe' ? await subscriptionTold(press) : ENQUIRY_TEXT.failed
  if (presses.get(name) !== press) return
  undo(name)
  showFormStatus(name, told)
}

async function subscriptionTold(press: Press): Promise<string> {
  const outcome = await subscription.answer()
  if (presses.get('subscribe') !== press) return ''
  subscription.forget()
  const form = document.forms.namedItem('subscribe')
  const input = form && emailOf(form)
  if (input && CLEARS_INPUT[outcome]) input.value = ''
  const notification = NOTIFICATIONS[outcome]
  return notification ? `${notification.summary} ${notification.detail}` : ''
}

function click(event: Event) {
  const button = event.target instanceof Element && event.target.closest('[aria-haspopup=dialog], [data-closes-dialog]')
  if (!button) return
  event.stopImmediatePropagation()
  contactDialog.set(button.ariaHasPopup === 'dialog')
}

window.handOver = { contactDialog, fetch: subscription.fetch }
const { signal } = listening
// What was told of a form without the app ends with its next submit, whoever answers that.
addEventListener('submit', ({ target }) => target instanceof HTMLFormElement && showFormStatus(target.name, ''), true)
contactDialog.onChange(() => presses.has('contact') || showFormStatus('contact', ''))
addEventListener('submit', submit, { capture: true, signal })
addEventListener('click', click, { capture: true, signal })
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
