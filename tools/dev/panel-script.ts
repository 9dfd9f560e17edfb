// Runs in the page during development: shows the panel of the mock, and reports what the content policy refuses.

// The panel chooses an answer of the mock. It writes the name of the answer into the page's address as `?mock=NAME`.

const panel = Object.assign(document.createElement('label'), { textContent: 'Mock ' })
// The panel is narrow, so that it covers neither texts nor dialog on a screen of 1200 x 800.
panel.style.cssText = `position: fixed; z-index: 99998; bottom: 0.5rem; left: 0.5rem; width: 8rem; padding: 0.25rem;
  font: 0.75rem system-ui; color: CanvasText; background: Canvas`
const list = panel.appendChild(document.createElement('select'))
list.style.width = '100%'
document.body.append(panel)

list.addEventListener('change', () => {
  const search = list.value && `?mock=${list.value}`
  // Change the address without a reload, so that typed texts stay.
  history.replaceState(history.state, '', location.pathname + search)
})
import.meta.hot?.on('mock:names', (names: readonly string[]) => {
  list.replaceChildren(...['', ...names].map((name) => new Option(name || 'default', name)))
  list.value = new URLSearchParams(location.search).get('mock') ?? ''
})
import.meta.hot?.send('mock:hello')

// An open dialog makes all elements outside it inert. So panel and error overlay move into the dialog while it is open.
const followDialog = () => {
  const place = document.querySelector('dialog[open]') ?? document.body
  for (const each of [panel, document.querySelector('vite-error-overlay')])
    if (each && each.parentNode !== place) place.append(each)
}
for (const type of ['pointermove', 'keydown', 'keyup']) addEventListener(type, followDialog, { capture: true })

// If the content policy refuses something, show that as if it were a thrown error: on the page and in the terminal.
addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
  const advice = 'If the page needs it, see "A script of another host" and "A script of your own" in CONTRIBUTING.md.'
  reportError(new Error(`The content policy (${effectiveDirective}) refused ${blockedURI}. ${advice}`))
})

// When the server is gone, Vite waits for it in a worker, which the content policy refuses. Without `SharedWorker`,
// Vite waits in the page.
Reflect.deleteProperty(window, 'SharedWorker')
