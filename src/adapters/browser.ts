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

/** An element that index.html promises. */
export function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`index.html has no ${kind.name} #${id}.`)
}
