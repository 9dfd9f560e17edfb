// Runs in the browser. An open dialog makes all elements outside it inert, so those of development move into it.

const ERROR_OVERLAY = 'vite-error-overlay'

/** Moves the element, and Vite's error overlay, into a dialog that opens, and out of it again. */
export function keepAboveDialogs(element: HTMLElement): void {
  function follow() {
    const parent = document.querySelector('dialog[open]') ?? document.body
    for (const each of [element, ...document.querySelectorAll(ERROR_OVERLAY)])
      if (each.parentElement !== parent) parent.append(each)
  }
  new MutationObserver(follow).observe(document.body, { subtree: true, childList: true, attributeFilter: ['open'] })
  follow()
}

// Vite waits for a lost server in a worker, which the content policy refuses. Without workers it waits in the page.
Reflect.deleteProperty(window, 'SharedWorker')

/** Whether the overlay shows an error of contract or types. Vite removes such an error only when the page changes. */
let showsDevError = false
import.meta.hot?.on('vite:error', ({ err }) => {
  showsDevError = err.plugin?.startsWith('dev:') ?? false
})
import.meta.hot?.on('dev:no-errors', () => {
  if (showsDevError) document.querySelector(ERROR_OVERLAY)?.remove()
  showsDevError = false
})
