import type { DomainToAscii } from '../domain/email.ts'
import type { CookieJar, Timers } from '../domain/ports.ts'
import { SUBMIT } from '../page-marks.ts'

export const browserCookies: CookieJar = {
  read() {
    try {
      return document.cookie
    } catch {
      // In a sandbox that takes away its origin, the page has no cookies.
      return ''
    }
  },
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

/** Uses the browser's URL parser, but not for a text with a character that would end or change the host of a URL. */
export const browserDomainToAscii: DomainToAscii = (domain) => {
  try {
    return /[\s/?#:@\\%[\]]/.test(domain) ? domain : new URL(`https://${domain}`).hostname
  } catch {
    return domain
  }
}

/** A held Enter submits nothing and presses no button again, and the second click of a double click submits nothing. */
export function ignoreRepeatedPresses(): void {
  addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.repeat && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
  })
  addEventListener('click', (event) => {
    if (event.detail > 1 && event.target instanceof Element && event.target.closest(SUBMIT)) event.preventDefault()
  })
}
