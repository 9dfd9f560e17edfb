// In the browser: while a dialog is open all outside it is inert, so what development adds moves into it.

const ERROR_OVERLAY = 'vite-error-overlay'

/** Moves the element, and Vite's error overlay, into a dialog that opens, and out of it again. */
export function keepAboveDialogs(element: HTMLElement): void {
  function follow() {
    const parent = document.querySelector('dialog[open]') ?? document.body
    for (const it of [element, ...document.querySelectorAll(ERROR_OVERLAY)])
      if (it.parentElement !== parent) parent.append(it)
  }
  new MutationObserver(follow).observe(document.body, { subtree: true, childList: true, attributeFilter: ['open'] })
  follow()
}

// Vite waits for a lost server in a worker, which the content policy refuses. Without workers it waits in the page.
Reflect.deleteProperty(window, 'SharedWorker')

/** Whether the overlay shows an error of contract or types. Vite removes it only at a change of the page. */
let showsDevError = false
import.meta.hot?.on('vite:error', ({ err }) => {
  showsDevError = err.plugin?.startsWith('dev:') ?? false
})
import.meta.hot?.on('dev:no-errors', () => {
  if (showsDevError) document.querySelector(ERROR_OVERLAY)?.remove()
  showsDevError = false
})
