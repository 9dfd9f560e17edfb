// The panel: a list of the mock's answers, which writes the choice into the page's address.

const panel = document.createElement('select')
panel.ariaLabel = 'Mock'
panel.style.cssText = 'position: fixed; bottom: 0.5rem; left: 0.5rem; z-index: 99998; font: 0.875rem system-ui'
panel.addEventListener('change', () => {
  const search = panel.value && `?mock=${panel.value}`
  // Without a reload, so that typed texts stay.
  history.replaceState(history.state, '', location.pathname + search)
})
// An open dialog makes all elements outside it inert.
const follow = () => (document.querySelector('dialog[open]') ?? document.body).append(panel)
new MutationObserver(follow).observe(document.body, { subtree: true, attributeFilter: ['open'] })
follow()

import.meta.hot?.on('mock:names', (names: readonly string[]) => {
  panel.replaceChildren(...['', ...names].map((name) => new Option(`mock: ${name || 'default'}`, name)))
  panel.value = new URLSearchParams(location.search).get('mock') ?? ''
})
import.meta.hot?.send('mock:hello')

// Vite waits for a lost server in a worker, which the content policy refuses. Without workers it waits in the page.
Reflect.deleteProperty(window, 'SharedWorker')
