// The only script of the first paint. It brings the app at the first sign of use, holds what is pressed until the app
// answers for itself, and then presses it again. docs/behaviour.md, B47 to B51.
import { APP_READY } from './app-ready.ts'

/** The app's entry, all files that it needs, and the dialog's: the build writes them onto the script's tag. */
const { entry = '', files = '', dialog = '' } = document.currentScript?.dataset ?? {}

/** Milliseconds after which a file that has not come counts as one that will not. */
const PATIENCE = 30_000

/** Milliseconds after the load in which nothing competes with the picture. */
const QUIET = 1000

const SIGNS_OF_USE = ['pointermove', 'pointerdown', 'keydown', 'focusin']

/** What was pressed, each button once, and how to press it again. */
const held = new Map<HTMLElement, () => void>()
let bringing: Promise<void> | null = null

/** Brings the app, unless it is on its way. */
function start() {
  if (bringing) return
  bringing = bring().then(handOver, () => {
    bringing = null
    if (held.size > 0) tellFailure()
  })
}

async function bring() {
  const ready = new Promise((resolve) => document.addEventListener(APP_READY, resolve, { once: true }))
  await fetchAll(files.split(' '), 'high')
  await import(/* @vite-ignore */ entry)
  await ready
}

/** Before an import comes a fetch: some browsers remember for good that an import failed. */
async function fetchAll(urls: readonly string[], priority: RequestPriority) {
  const signal = AbortSignal.timeout(PATIENCE)
  const fetched = urls.map(async (url) => {
    const response = await fetch(url, { priority, signal })
    if (!response.ok) throw new Error(url)
    await response.arrayBuffer()
  })
  await Promise.all(fetched)
}

/** The files come to lie in the browser's cache; none of them runs. */
function prefetch() {
  fetchAll([...files.split(' '), dialog], 'low').catch(() => {})
}

function hold(event: Event) {
  const pressed = event.target instanceof Element ? event.target : null
  const form = event.type === 'submit' ? pressed?.closest('form') : null
  const button = form ? form.querySelector('button') : pressed?.closest<HTMLElement>('button[aria-haspopup]')
  if (!button) return
  event.preventDefault()
  event.stopImmediatePropagation()
  freeze(button, true)
  held.set(button, () => (form ? form.requestSubmit() : button.click()))
  if (!form) fetchAll([dialog], 'high').catch(() => {})
  start()
}

/** A pressed button is busy, and the text of its form, which will be sent, stays as it was pressed. */
function freeze(button: HTMLElement, frozen: boolean) {
  button.ariaBusy = String(frozen)
  const input = button.closest('form')?.querySelector('input')
  if (input) input.readOnly = frozen
}

function release() {
  const repeats = [...held.values()]
  for (const button of held.keys()) freeze(button, false)
  held.clear()
  return repeats
}

function handOver() {
  for (const [type, listener] of LISTENERS) removeEventListener(type, listener, true)
  failure()?.remove()
  for (const repeat of release()) repeat()
}

/** Says what the app would say of a failed call, in the words and the looks that the build left in the page. */
function tellFailure() {
  release()
  failure()?.remove()
  const template = document.querySelector('template')
  document.getElementById('toast-alert')?.append(template ? document.importNode(template.content, true) : '')
  failure()
    ?.querySelector('button')
    ?.addEventListener('click', () => {
      failure()?.remove()
      document.querySelector('input')?.focus()
    })
}

const failure = () => document.getElementById('toast-alert')?.firstElementChild

/** Escape takes a press on 'Contact us' back, as it does once the app is there. */
function giveUp(event: Event) {
  if (!(event instanceof KeyboardEvent) || event.key !== 'Escape') return
  for (const button of held.keys()) {
    if (button.closest('form')) continue
    freeze(button, false)
    held.delete(button)
  }
}

const LISTENERS: readonly [type: string, listener: (event: Event) => void][] = [
  ['submit', hold],
  ['click', hold],
  ['keydown', giveUp],
]
for (const [type, listener] of LISTENERS) addEventListener(type, listener, true)
for (const type of SIGNS_OF_USE) addEventListener(type, start, { capture: true, once: true })

// A host that serves this page for every path: only the empty one is ours.
if (location.pathname !== '/') history.replaceState(null, '', `/${location.search}${location.hash}`)
addEventListener('load', () => setTimeout(prefetch, QUIET))
