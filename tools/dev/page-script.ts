// The panel: chooses the mock's answers, by the page's address.

const panel = Object.assign(document.createElement('label'), { textContent: 'Mock ' })
// So narrow that it stands beside the page's texts and the dialog on a screen of 1200 x 800.
panel.style.cssText = `position: fixed; z-index: 99998; bottom: 0.5rem; left: 0.5rem; width: 8rem; padding: 0.25rem;
  font: 0.75rem system-ui; color: CanvasText; background: Canvas`
const list = panel.appendChild(document.createElement('select'))
list.style.width = '100%'
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

// An open dialog makes all elements outside it inert.
const follow = () => {
  const place = document.querySelector('dialog[open]') ?? document.body
  for (const each of [panel, document.querySelector('vite-error-overlay')])
    if (each && each.parentNode !== place) place.append(each)
}
for (const type of ['pointermove', 'keydown', 'keyup']) addEventListener(type, follow, { capture: true })

// What the content policy refuses is shown like an error that is thrown.
addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
  const way = 'if it should be allowed, see SCRIPT_ORIGINS and CONNECT_ORIGINS in CONTRIBUTING.md'
  reportError(new Error(`The content policy (${effectiveDirective}) refused ${blockedURI}: ${way}.`))
})

// Vite waits for a lost server in a worker, which the content policy refuses. Without workers it waits in the page.
Reflect.deleteProperty(window, 'SharedWorker')
