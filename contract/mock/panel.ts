// The panel: a link for each scenario, which writes the choice into the page's address, and below them the last call.
import { keepAboveDialogs } from './overlay-client.ts'

const STYLE = `
  :host { position: fixed; z-index: 99998; bottom: 0.5rem; left: 0.5rem; max-width: min(24rem, 100vw - 1rem);
    font: 0.875rem/1.5 system-ui, sans-serif; color-scheme: light dark; }
  details { box-sizing: border-box; max-height: 60dvh; overflow: auto; padding: 0.25rem 0.75rem; border: 1px solid;
    border-radius: 0.5rem; color: light-dark(#1b1b1f, #f2f2f7); background: light-dark(#fff, #1b1b1f); }
  a { display: inline-block; min-height: 1.5rem; color: inherit; }
  a[aria-current] { font-weight: 700; }
  ul { margin: 0.5rem 0; padding: 0; }
  li { display: inline-block; margin-right: 0.75rem; }
  pre { font: 0.8125rem/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
`

const host = document.createElement('mock-panel')
host.role = 'complementary'
host.ariaLabel = 'Mock'
const root = host.attachShadow({ mode: 'open' })
// The content policy refuses a style tag.
const sheet = new CSSStyleSheet()
sheet.replaceSync(STYLE)
root.adoptedStyleSheets = [sheet]

const summary = document.createElement('summary')
const links = document.createElement('ul')
const lastCall = document.createElement('pre')
const details = document.createElement('details')
details.append(summary, links, lastCall)
root.append(details)

function link(name: string, about: string): HTMLLIElement {
  const search = name && `?mock=${name}`
  const anchor = document.createElement('a')
  anchor.textContent = name || 'default'
  anchor.href = search || '?'
  anchor.title = about
  anchor.dataset.scenario = name
  // The choice needs no reload, so that typed texts stay.
  anchor.addEventListener('click', (event) => {
    event.preventDefault()
    history.replaceState(history.state, '', location.pathname + search)
    showChoice()
  })
  const item = document.createElement('li')
  item.append(anchor)
  return item
}

function showChoice() {
  const chosen = new URLSearchParams(location.search).get('mock') ?? ''
  summary.textContent = `Mock: ${chosen || 'default'}`
  for (const anchor of links.querySelectorAll('a'))
    anchor.ariaCurrent = anchor.dataset.scenario === chosen ? 'true' : null
}

import.meta.hot?.on('mock:scenarios', (scenarios: readonly { readonly name: string; readonly about: string }[]) => {
  links.replaceChildren(link('', ''), ...scenarios.map(({ name, about }) => link(name, about)))
  showChoice()
})
import.meta.hot?.on('mock:last-call', (text: string) => {
  lastCall.textContent = text
})
const hello = () => import.meta.hot?.send('dev:hello')
import.meta.hot?.on('dev:checked', hello)
// With each hot update Vite removes its overlay, whatever it shows.
import.meta.hot?.on('vite:afterUpdate', hello)
hello()
showChoice()
window.addEventListener('popstate', showChoice)
keepAboveDialogs(host)
