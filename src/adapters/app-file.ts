type App = typeof import('../main.tsx')

let attempts = 0

const url = () => document.documentElement.dataset.entry ?? ''

/** Fetches the app without running it, once. */
export function fetchApp(): void {
  if (attempts > 0 || document.querySelector('link[rel=modulepreload]')) return
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = url()
  // The browser may remember the failure, so the next import counts as a second attempt.
  link.onerror = () => {
    attempts += 1
  }
  document.head.append(link)
}

/**
 * Runs the app. Browsers may remember an import that failed, so a later attempt has a query, which makes it another
 * module. The first attempt has no query, because the app's own imports name the app without one.
 */
export function importApp(): Promise<App> {
  attempts += 1
  return import(/* @vite-ignore */ attempts === 1 ? url() : `${url()}?attempt=${attempts}`)
}

/** Whether the app's file could not be loaded: every browser then mentions the import. Other errors are the app's. */
export const isMissing = (error: unknown): boolean => /import/i.test(String(error))
