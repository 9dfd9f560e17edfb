// The only script of the first paint. It answers for the page until the app does, and again if the app can't be had.
// docs/behaviour.md, B45 to B49.
import { subscribeCall } from '../adapters/subscribe-call.ts'
import { NOTIFICATIONS, type SentSubscription, subscribe } from '../domain/subscription.ts'
import { clientOptions, startServices } from '../services.ts'
import { showOutcome } from '../ui/show-outcome.ts'
import type { HandOver } from './hand-over.ts'
import { cloneTemplate, showNotifications } from './notifications.ts'
import { markPending, type Pending } from './pending.ts'

/** The app's entry, and all files that it needs: the build writes them onto the script's tag. */
const { entry = '', files = '' } = document.currentScript?.dataset ?? {}

/** What was pressed is answered and seen before the app takes the processor. */
const HEAD_START_MS = 200

/** When an app that has not answered counts as failed: half a minute after the press. */
const LOAD_TIMEOUT_MS = 30_000 - HEAD_START_MS

/** For so long after the load nothing competes with the picture. */
const PREFETCH_DELAY_MS = 1000

const ACTIVATION_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin']

const { contactDialog, notifications } = startServices()
const backend = { subscribe: subscribeCall(clientOptions) }

/** What was pressed, and is still to be done or told. */
let subscription: (Pending & SentSubscription) | null = null
let enquiry: Pending | null = null

const parsed = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))
const ready = Promise.withResolvers<void>()
let loading = false
let hydrating = false
let appFailed = false
let failureMessage: HTMLElement | undefined
let listening = listen()

/** Loads the app, unless it is on its way. One that has failed needs no head start. */
function startApp() {
  if (loading) return
  loading = true
  failureMessage?.remove()
  const headStart = appFailed ? 0 : HEAD_START_MS
  setTimeout(async () => {
    const limit = AbortSignal.timeout(LOAD_TIMEOUT_MS)
    const late = new Promise((_, reject) => limit.addEventListener('abort', () => reject(limit.reason)))
    await Promise.race([loadApp(limit), late]).catch(() => {
      loading = false
      return showLoadFailure()
    })
  }, headStart)
}

async function loadApp(limit: AbortSignal) {
  await parsed
  if (appFailed) throw new Error('The app has failed.')
  // Before an import comes a fetch: some browsers remember for good that an import failed.
  await fetchFiles('high', limit)
  await import(/* @vite-ignore */ entry)
  await ready.promise
}

async function fetchFiles(priority: RequestPriority, signal: AbortSignal) {
  const fetched = files.split(' ').map(async (url) => {
    const response = await fetch(url, { priority, signal })
    if (!response.ok) throw new Error(url)
    await response.arrayBuffer()
  })
  await Promise.all(fetched)
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
async function showLoadFailure() {
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
  // What shows it stands at the end of the page.
  await parsed
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
    pressed?.form.requestSubmit()
    return sent
  },
  giveBack() {
    appFailed = true
    listening.abort()
    listening = listen()
    if (!subscription && !enquiry) notifications.show(NOTIFICATIONS.failed)
    ready.reject()
    startApp()
  },
} satisfies HandOver

contactDialog.onChange(() => failureMessage?.remove())
for (const type of ACTIVATION_EVENTS) addEventListener(type, startApp, { capture: true, once: true })

// The picture fades in once it is whole; until then its colours stand there.
addEventListener('load', () => document.documentElement.removeAttribute('data-loading'))

// A host that serves this page for every path: only the empty one is ours.
if (location.pathname !== '/') history.replaceState(null, '', `/${location.search}${location.hash}`)
addEventListener('load', () =>
  setTimeout(() => fetchFiles('low', AbortSignal.timeout(LOAD_TIMEOUT_MS)).catch(() => {}), PREFETCH_DELAY_MS),
)
