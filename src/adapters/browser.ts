import type { CookieJar, Timers } from '../domain/ports.ts'

export const browserCookies: CookieJar = {
  read: () => document.cookie,
  write(cookie) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain HTTP.
    document.cookie = cookie
  },
}

export const browserTimers: Timers = {
  after(delay, run) {
    const id = setTimeout(run, delay)
    return () => clearTimeout(id)
  },
  every(interval, run) {
    const id = setInterval(run, interval)
    return () => clearInterval(id)
  },
}

/** The element of index.html with this id. Throws if there is none of this kind. */
export function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`index.html has no ${kind.name} #${id}.`)
}

/** A held Enter submits nothing and presses no button again, and the second click of a double click submits nothing. */
export function ignoreRepeatedPresses(): void {
  addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.repeat && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
  })
  addEventListener('click', (event) => {
    if (event.detail > 1 && event.target instanceof Element && event.target.closest('[type=submit]'))
      event.preventDefault()
  })
}
