type App = typeof import('../main.tsx')

let attempts = 0

const url = () => document.documentElement.dataset.entry ?? ''

/** Fetches the app without running it, once. */
export function fetchApp(): void {
  if (attempts > 0 || document.querySelector('link[rel=modulepreload]')) return
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = url()
  // The browser may remember the failure, so an import is a further attempt.
  link.onerror = () => {
    attempts += 1
  }
  document.head.append(link)
}

/**
 * Runs the app. Browsers may remember an import that failed, so a further attempt has a query, which makes it another
 * module. The first has none, because the app's own imports name the app without one.
 */
export function importApp(): Promise<App> {
  attempts += 1
  return import(/* @vite-ignore */ attempts === 1 ? url() : `${url()}?attempt=${attempts}`)
}

/** Whether the app's file could not be had: every browser speaks of the import then. Other errors are the app's own. */
export const isMissing = (error: unknown): boolean => /import/i.test(String(error))
