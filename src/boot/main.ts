// The only script of the first paint. It answers for the page until the app does, and again if the app can't be had.
// docs/behaviour.md, B45 to B49.
import { element } from '../adapters/browser.ts'
import { subscribeCall } from '../adapters/subscribe-call.ts'
import { NOTIFICATIONS, type SentSubscription, subscribe } from '../domain/subscription.ts'
import { clientOptions, startServices } from '../services.ts'
import { showOutcome } from '../ui/show-outcome.ts'
import type { HandOver } from './hand-over.ts'
import { loadApp, prefetchApp } from './load-app.ts'
import { cloneTemplate, showNotifications } from './notifications.ts'
import { markPending, type Pending } from './pending.ts'

/** For so long after the load nothing competes with the picture. */
const PREFETCH_DELAY_MS = 1000

const ACTIVATION_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin']

const { contactDialog, notifications } = startServices()
const backend = { subscribe: subscribeCall(clientOptions) }

/** What was pressed, and is still to be done or told. */
let subscription: (Pending & SentSubscription) | null = null
let enquiry: Pending | null = null

const ready = Promise.withResolvers<void>()
let loading = false
let hydrating = false
let appFailed = false
let failureMessage: HTMLElement | undefined
let listening = listen()

/** Loads the app, unless it is on its way. */
function startApp() {
  if (loading) return
  loading = true
  failureMessage?.remove()
  const loaded = appFailed ? Promise.reject() : loadApp(ready.promise)
  loaded.catch(showFailure)
}

function submit(event: Event) {
  const form = event.target
  if (!(form instanceof HTMLFormElement)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (form.closest('dialog')) enquiry ??= pend(form)
  else subscription ??= { ...send(form), ...pend(form) }
  startApp()
}

function pend(form: HTMLFormElement): Pending {
  const pending = markPending(form)
  if (hydrating) pending.hideLoadingText()
  return pending
}

function send(form: HTMLFormElement): SentSubscription {
  const typed = form.querySelector('input')?.value ?? ''
  return { typed, outcome: subscribe(backend, typed) }
}

function click(event: Event) {
  const button = event.target instanceof Element && event.target.closest('button')
  if (!button) return
  const opens = button.ariaHasPopup === 'dialog'
  if (!opens && (button.form || !button.closest('#contact'))) return
  event.stopImmediatePropagation()
  contactDialog.set(opens)
}

/** Without the app, what was pressed ends in the words that the build left in the page. */
async function showFailure() {
  loading = false
  if (enquiry) {
    enquiry.release()
    failureMessage = cloneTemplate('problem')
    enquiry.form.querySelector('[data-loading-place]')?.append(failureMessage)
    failureMessage.scrollIntoView({ block: 'nearest' })
    enquiry = null
  }
  const sent = subscription
  const outcome = await sent?.outcome
  if (!sent || !outcome || sent !== subscription) return
  subscription = null
  sent.release()
  const input = sent.form.querySelector('input')
  if (input) showOutcome(outcome, sent.typed, input, notifications)
}

function listen(): AbortController {
  const listening = new AbortController()
  const { signal } = listening
  addEventListener('submit', submit, { capture: true, signal })
  addEventListener('click', click, { capture: true, signal })
  signal.addEventListener('abort', showNotifications(notifications))
  return listening
}

window.handOver = {
  contactDialog,
  notifications,
  prepare() {
    hydrating = true
    failureMessage?.remove()
    subscription?.hideLoadingText()
    enquiry?.hideLoadingText()
  },
  take() {
    ready.resolve()
    listening.abort()
    const sent = subscription
    const pressed = enquiry
    subscription = enquiry = null
    sent?.release()
    pressed?.release()
    // React may have put another form in the place of the one that was pressed.
    if (pressed) element('contact', HTMLElement).querySelector('form')?.requestSubmit()
    return sent
  },
  giveBack() {
    appFailed = true
    listening.abort()
    listening = listen()
    if (!subscription && !enquiry) notifications.show(NOTIFICATIONS.failed)
    showFailure()
  },
} satisfies HandOver

contactDialog.onChange(() => failureMessage?.remove())
for (const type of ACTIVATION_EVENTS) addEventListener(type, startApp, { capture: true, once: true })

// The picture fades in once it is whole; until then its colours stand there.
const { dataset } = document.documentElement
dataset.loading = ''
addEventListener('load', () => delete dataset.loading)

// A host that serves this page for every path: only the empty one is ours.
if (location.pathname !== '/') history.replaceState(null, '', `/${location.search}${location.hash}`)
addEventListener('load', () => setTimeout(prefetchApp, PREFETCH_DELAY_MS))
