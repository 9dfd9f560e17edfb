// The only script of the first paint. It does what can't wait for the app: it opens the dialog, sends Subscribe, holds
// Submit, and brings the app, which then answers each press as an ordinary submit. docs/behaviour.md, B45 to B50.
import { element, ignoreRepeatedPresses } from '../adapters/browser.ts'
import { connectDialog } from '../adapters/native-dialog.ts'
import { createContactDialog } from '../domain/contact-dialog.ts'
import { isEmail } from '../domain/email.ts'
import { CLEARS_INPUT, NOTIFICATIONS } from '../domain/subscription.ts'
import { ENQUIRY_TEXT, VALIDATION_TEXT } from '../domain/texts.ts'
import { fetchOnce, sendEarly, takeAnswer } from './early-subscription.ts'
import './hand-over.ts'
import { holdForm } from './hold-form.ts'
import { loadApp, prefetchApp } from './load-app.ts'

/** For so long after the load nothing competes with the picture. */
const PREFETCH_DELAY_MS = 1000

const ACTIVATION_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin']

/** What the visitor has pressed, and the app is still to answer: a form that waits, or one with an invalid address. */
type Press = { readonly waits: boolean; undo(): void }

const presses = new Map<string, Press>()
/** Absent again after a failure: the next press tries again. */
let app: 'absent' | 'loading' = 'absent'
const contactDialog = createContactDialog()
const listening = new AbortController()

async function startApp() {
  if (app === 'loading') return
  app = 'loading'
  try {
    await loadApp()
    letGo()
  } catch {
    app = 'absent'
    for (const [name, press] of presses) if (press.waits) tellWithoutApp(name, press)
  }
}

function submit(event: Event) {
  const form = event.target
  if (!(form instanceof HTMLFormElement)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (presses.get(form.name)?.waits) return
  clear(form.name)
  presses.set(form.name, form.name === 'subscribe' ? subscribe(form) : hold(form))
  startApp()
}

const hold = (form: HTMLFormElement): Press => ({ waits: true, undo: holdForm(form) })

function subscribe(form: HTMLFormElement): Press {
  const input = inputOf(form)
  const typed = input?.value ?? ''
  if (isEmail(typed.trim())) {
    sendEarly(typed.trim())
    return hold(form)
  }
  const edited = new AbortController()
  const onInput = () => input?.value !== typed && clear('subscribe')
  form.addEventListener('input', onInput, { signal: edited.signal })
  showStatus('subscribe', VALIDATION_TEXT.invalidEmail)
  input?.focus()
  return { waits: false, undo: () => edited.abort() }
}

const inputOf = (form: HTMLFormElement) => form.querySelector('input')

function showStatus(name: string, text: string) {
  const status = document.querySelector(`[data-status-of=${name}]`)
  status?.toggleAttribute('hidden', text === '')
  status?.replaceChildren(text)
  if (text) status?.scrollIntoView({ block: 'nearest' })
}

function clear(name: string) {
  presses.get(name)?.undo()
  presses.delete(name)
  showStatus(name, '')
}

/** Ends a press in one sentence, in the words of its outcome. */
async function tellWithoutApp(name: string, press: Press) {
  const outcome = name === 'subscribe' ? await takeAnswer() : null
  if (presses.get(name) !== press) return
  clear(name)
  const form = document.forms.namedItem(name)
  const input = form && inputOf(form)
  if (outcome && CLEARS_INPUT[outcome] && input) input.value = ''
  const { summary, detail } = (outcome && NOTIFICATIONS[outcome]) ?? { summary: '', detail: '' }
  showStatus(name, outcome ? `${summary} ${detail}`.trim() : ENQUIRY_TEXT.failed)
}

/** The app answers from now on, also what was pressed before. */
function letGo() {
  listening.abort()
  const pressed = [...presses.keys()]
  for (const { name } of document.forms) clear(name)
  for (const name of pressed) document.forms.namedItem(name)?.requestSubmit()
}

function click(event: Event) {
  const button = event.target instanceof Element && event.target.closest('[aria-haspopup=dialog], [data-closes-dialog]')
  if (!button) return
  event.stopImmediatePropagation()
  contactDialog.set(button.ariaHasPopup === 'dialog')
}

window.handOver = { contactDialog, fetch: fetchOnce }
const { signal } = listening
addEventListener('submit', submit, { capture: true, signal })
addEventListener('click', click, { capture: true, signal })
contactDialog.onChange(() => presses.has('contact') || showStatus('contact', ''))
ignoreRepeatedPresses()
for (const type of ACTIVATION_EVENTS) addEventListener(type, startApp, { capture: true, once: true })
addEventListener('DOMContentLoaded', () =>
  connectDialog(element('contact-dialog', HTMLDialogElement), element('notifications', HTMLElement), contactDialog),
)

// The picture fades in once it is whole; until then its colours stand there.
const { dataset } = document.documentElement
dataset.loading = ''
addEventListener('load', () => delete dataset.loading)

// A host that serves this page for other paths: only its own is ours.
const { path = '/' } = dataset
if (location.pathname !== path) history.replaceState(null, '', path + location.search + location.hash)
addEventListener('load', () => setTimeout(prefetchApp, PREFETCH_DELAY_MS))
