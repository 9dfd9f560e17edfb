// The only script of the first paint. It answers for the page until the app does, and again if the app can't be had.
// docs/behaviour.md, B45 to B49.
import { subscribeCall } from '../adapters/subscribe-call.ts'
import { NOTIFICATIONS, type SentSubscription, subscribe } from '../domain/subscription.ts'
import { clientOptions, startServices } from '../services.ts'
import { tell } from '../ui/tell.ts'
import type { HandOver } from './hand-over.ts'
import { type Held, hold } from './held.ts'
import { rendered, showNotices } from './notices.ts'
import { fadeInPicture } from './picture.ts'

/** The app's entry, and all files that it needs: the build writes them onto the script's tag. */
const { entry = '', files = '' } = document.currentScript?.dataset ?? {}

/** Milliseconds after which an app that does not answer counts as one that will not. */
const TIMEOUT = 30_000

/** Milliseconds in which what was pressed is answered and seen before the app takes the processor. */
const HEAD_START = 200

/** Milliseconds after the load in which nothing competes with the picture. */
const QUIET = 1000

const SIGNS_OF_USE = ['pointermove', 'pointerdown', 'keydown', 'focusin']

const { contactDialog, notifications } = startServices()
const backend = { subscribe: subscribeCall(clientOptions) }

/** What was pressed, and is still to be done or told. */
let subscription: (Held & SentSubscription) | null = null
let enquiry: Held | null = null

const ready = Promise.withResolvers<void>()
let bringing = false
let hydrating = false
let broken = false
let problem: HTMLElement | undefined
let listening = listen()

/** Brings the app, unless it is on its way. */
function start() {
  if (bringing) return
  bringing = true
  problem?.remove()
  const limit = AbortSignal.timeout(TIMEOUT)
  const late = new Promise((_, reject) => limit.addEventListener('abort', () => reject(limit.reason)))
  Promise.race([bring(limit), late]).catch(() => {
    bringing = false
    return goOnAlone()
  })
}

async function bring(limit: AbortSignal) {
  if (broken) throw new Error('The app has failed.')
  await new Promise((resolve) => setTimeout(resolve, HEAD_START))
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
  if (form.closest('dialog')) enquiry ??= held(form)
  else subscription ??= { ...held(form), ...send(form) }
  start()
}

function held(form: HTMLFormElement): Held {
  const held = hold(form)
  if (hydrating) held.hush()
  return held
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

/** The app can't be had: what was pressed ends in the words that the build left in the page. */
async function goOnAlone() {
  if (enquiry) {
    enquiry.release()
    problem = rendered('problem')
    enquiry.form.querySelector('[data-loading-place]')?.append(problem)
    problem.scrollIntoView({ block: 'nearest' })
    enquiry = null
  }
  const sent = subscription
  const outcome = await sent?.outcome
  if (!sent || !outcome || sent !== subscription) return
  subscription = null
  sent.release()
  const input = sent.form.querySelector('input')
  if (input) tell(outcome, sent.typed, input, notifications)
}

function listen(): AbortController {
  const listening = new AbortController()
  const { signal } = listening
  for (const [type, listener] of [
    ['submit', submit],
    ['click', click],
  ] as const)
    addEventListener(type, listener, { capture: true, signal })
  signal.addEventListener('abort', showNotices(notifications))
  return listening
}

window.handOver = {
  contactDialog,
  notifications,
  prepare() {
    hydrating = true
    problem?.remove()
    subscription?.hush()
    enquiry?.hush()
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
    broken = true
    listening.abort()
    listening = listen()
    if (!subscription && !enquiry) notifications.show(NOTIFICATIONS.failed)
    ready.reject()
    start()
  },
} satisfies HandOver

contactDialog.onChange(() => problem?.remove())
for (const type of SIGNS_OF_USE) addEventListener(type, start, { capture: true, once: true })

fadeInPicture()

// A host that serves this page for every path: only the empty one is ours.
if (location.pathname !== '/') history.replaceState(null, '', `/${location.search}${location.hash}`)
addEventListener('load', () => setTimeout(() => fetchFiles('low', AbortSignal.timeout(TIMEOUT)).catch(() => {}), QUIET))
