import type { CookieJar, Stop, Timers } from '../domain/ports.ts'

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

/** Runs when the page has nothing better to do; soon, in a browser that can't tell. */
export function whenIdle(run: () => void): Stop {
  if (!window.requestIdleCallback) return browserTimers.after(200, run)
  const id = window.requestIdleCallback(run)
  return () => cancelIdleCallback(id)
}
