// The scenario panel: lists the scenarios, and keeps the choice in the page's address.
import type { ScenarioItem } from './mocked-page.ts'
import { keepAboveDialogs } from './overlay-client.ts'
import type { Validation } from './validation.ts'

const STYLE = `
  :host { all: initial; position: fixed; z-index: 99998; bottom: 0.5rem; left: 0.5rem; color-scheme: light dark;
    pointer-events: auto; font: 0.875rem/1.4 system-ui, sans-serif; color: light-dark(#1b1b1f, #f2f2f7); }
  aside { display: flex; flex-direction: column-reverse; align-items: flex-start; max-width: min(24rem, 100vw - 1rem); }
  section { box-sizing: border-box; max-height: calc(40dvh - 4rem); margin-bottom: 0.5rem; padding: 0.75rem;
    overflow: auto; background: light-dark(#fff, #1b1b1f); border: 1px solid light-dark(#6b6b76, #9a9aa6);
    border-radius: 0.5rem; overflow-wrap: anywhere; }
  [hidden] { display: none; }
  button { font: inherit; min-height: 2.25rem; max-width: 100%; padding: 0.25rem 0.75rem; cursor: pointer;
    color: inherit; background: light-dark(#fff, #1b1b1f); border: 1px solid light-dark(#6b6b76, #9a9aa6);
    border-radius: 2rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  @media (width < 24rem) { aside > button { max-width: 5rem; } }
  @media (width >= 64rem) { aside { width: 21rem; } section { width: 100%; height: calc(100dvh - 4rem); max-height: none; } }
  fieldset { margin: 0 0 0.5rem; padding: 0; border: 0; }
  legend, h2 { margin: 0; padding: 0; font: inherit; font-weight: 700; }
  label { display: inline-flex; align-items: center; min-height: 1.75rem; margin-right: 1rem; gap: 0.25rem; }
  input { width: 1rem; height: 1rem; margin: 0; }
  p, pre { margin: 0.25rem 0; }
  pre { font: 0.8125rem/1.4 ui-monospace, monospace; white-space: pre-wrap; }
  :focus-visible { outline: 3px solid light-dark(#b45309, #f5a524); outline-offset: 2px; }
`

/** While the panel is open the page makes room: beside it, or on a narrow screen above it. */
const PAGE_LAYOUT = `
  @media (width >= 64rem) {
    html[data-mock-panel] body { padding-left: 22rem; }
    html[data-mock-panel] dialog { left: 22rem; width: min(70vw, 100vw - 24rem); }
  }
  @media (width < 64rem) {
    html[data-mock-panel] body { padding-bottom: 40dvh; }
    html[data-mock-panel] dialog { bottom: 40dvh; }
    html[data-mock-panel] dialog #contact > :last-child { max-height: calc(60dvh - 2rem); }
  }
`

/** The page's own handlers of these would take focus back to an open dialog, or close it. */
const ISOLATED_EVENTS = ['pointerdown', 'mousedown', 'touchstart', 'focusin', 'focusout', 'click', 'keydown'] as const

const host = document.createElement('mock-scenarios')
// A dialog hides everything else from assistive technology, except what has this attribute.
host.ariaLive = 'off'
const root = host.attachShadow({ mode: 'open' })
const scenarios = element('div', { role: 'radiogroup', ariaLabel: 'Scenario' })
const last = element('div', {}, element('p', {}, 'No call yet.'))
const section = element('section', { hidden: true, id: 'scenarios' }, element('h2', {}, 'Last call'), last, scenarios)
const toggle = element('button', { type: 'button', ariaExpanded: 'false', title: 'Ctrl+Alt+M' })
toggle.setAttribute('aria-controls', section.id)
toggle.setAttribute('aria-keyshortcuts', 'Control+Alt+M')
const aside = element('aside', { ariaLabel: 'Mock' }, toggle, section)
root.append(aside)
root.adoptedStyleSheets = [styleSheet(STYLE)]
document.adoptedStyleSheets.push(styleSheet(PAGE_LAYOUT))

const chosen = () => new URLSearchParams(location.search).get('mock') ?? ''

function choose(name: string) {
  const address = new URL(location.href)
  if (name) address.searchParams.set('mock', name)
  else address.searchParams.delete('mock')
  history.replaceState(history.state, '', address)
  showChoice()
}

function showChoice() {
  toggle.textContent = `Mock: ${chosen() || 'default'}`
  for (const radio of scenarios.querySelectorAll('input')) radio.checked = radio.value === chosen()
}

function open(opens: boolean) {
  showChoice()
  section.hidden = !opens
  document.documentElement.toggleAttribute('data-mock-panel', opens)
  toggle.ariaExpanded = String(opens)
}

function listScenarios(listed: readonly ScenarioItem[]) {
  const focused = root.activeElement instanceof HTMLInputElement ? root.activeElement.value : null
  const groups = Map.groupBy([{ name: '', about: 'no scenario' }, ...listed], ({ about }) => about)
  scenarios.replaceChildren(
    ...[...groups].map(([about, members]) =>
      element('fieldset', {}, element('legend', {}, about), ...members.map(({ name }) => option(name))),
    ),
  )
  showChoice()
  for (const radio of scenarios.querySelectorAll('input')) if (radio.value === focused) radio.focus()
}

const option = (name: string) =>
  element('label', {}, element('input', { type: 'radio', name: 'mock', value: name }), name || 'default')

function showLast({ call, operation, request, answer }: Validation) {
  last.replaceChildren(
    element('p', {}, operation ? `${call} (operation: ${operation})` : `${call} is not an operation of the contract.`),
    ...message('The request', request.body, request.errors),
    ...(answer
      ? [
          element(
            'p',
            {},
            `${answer.status}${answer.example ? `, example ${answer.example.name}` : ''}: ${answer.about ?? ''}`,
          ),
          ...(answer.example?.summary ? [element('p', {}, `${answer.example.summary}.`)] : []),
          ...message('The answer', answer.body, answer.errors),
        ]
      : [element('p', {}, 'No answer: the connection was dropped.')]),
  )
}

const message = (what: string, body: string, errors: readonly string[]) => [
  element('pre', {}, body),
  element(
    'p',
    {},
    errors.length > 0 ? `✗ ${what} breaks the contract: ${errors.join('; ')}.` : `✓ ${what} keeps the contract.`,
  ),
]

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

for (const type of ISOLATED_EVENTS) {
  window.addEventListener(
    type,
    (event) => {
      if (!event.composedPath().includes(root)) return
      event.stopImmediatePropagation()
      if (event.type === 'click' && event.composedPath().includes(toggle)) open(Boolean(section.hidden))
      if (event instanceof KeyboardEvent && event.key === 'Escape' && !section.hidden) {
        // The dialog stays open.
        event.preventDefault()
        open(false)
        toggle.focus()
      }
    },
    true,
  )
}
/** Tab does not leave an open dialog. */
window.addEventListener('keydown', ({ ctrlKey, altKey, code }) => {
  if (!ctrlKey || !altKey || code !== 'KeyM') return
  open(true)
  toggle.focus()
})
scenarios.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement) choose(target.value)
})
window.addEventListener('popstate', showChoice)

import.meta.hot?.on('panel:scenarios', listScenarios)
import.meta.hot?.on('panel:last', showLast)
import.meta.hot?.send('panel:hello')

showChoice()
keepAboveDialogs(host)

/** The content policy refuses a style tag. */
function styleSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return sheet
}
