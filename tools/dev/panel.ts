// The panel: chooses the mock's answers, by the page's address, and shows the status and headers of the last one.

const OPEN = 'mock-panel-open'

const make = <Name extends keyof HTMLElementTagNameMap>(name: Name, css: string, text = '') => {
  const element = Object.assign(document.createElement(name), { textContent: text })
  element.style.cssText = css
  return element
}
// So narrow that it stands beside the page's texts and the dialog on a screen of 1200 x 800.
const corner = 'position: fixed; z-index: 99998; bottom: 0.5rem; left: 0.5rem; width: 8rem; padding: 0.25rem'
const panel = make('details', `${corner}; font: 0.75rem system-ui; color: CanvasText; background: Canvas`)
const list = make('select', 'width: 100%')
const last = make('pre', 'margin: 0; max-height: 50vh; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere')
list.ariaLabel = 'Mock'
panel.append(make('summary', 'cursor: pointer', 'Mock'), list, last)
panel.open = localStorage.getItem(OPEN) !== 'false'
panel.addEventListener('toggle', () => localStorage.setItem(OPEN, `${panel.open}`))
document.body.append(panel)

list.addEventListener('change', () => {
  const search = list.value && `?mock=${list.value}`
  // Without a reload, so that typed texts stay.
  history.replaceState(history.state, '', location.pathname + search)
})
import.meta.hot?.on('mock:names', (names: readonly string[]) => {
  list.replaceChildren(...['', ...names].map((name) => new Option(name || 'default', name)))
  list.value = new URLSearchParams(location.search).get('mock') ?? ''
})
import.meta.hot?.send('mock:hello')

import.meta.hot?.on('mock:answer', ({ status, headers }: { status: number; headers: Record<string, string> }) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  last.replaceChildren([status, ...lines].join('\n'))
})

// An open dialog makes all elements outside it inert.
const follow = () => {
  const place = document.querySelector('dialog[open]') ?? document.body
  for (const each of [panel, document.querySelector('vite-error-overlay')])
    if (each && each.parentNode !== place) place.append(each)
}
for (const type of ['pointermove', 'keydown', 'keyup']) addEventListener(type, follow, { capture: true })

// Vite waits for a lost server in a worker, which the content policy refuses. Without workers it waits in the page.
Reflect.deleteProperty(window, 'SharedWorker')
