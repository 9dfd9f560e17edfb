import type { DomainToAscii } from '../domain/email.ts'
import type { CookieJar, Timers } from '../domain/ports.ts'

export const browserCookies: CookieJar = {
  read: () => document.cookie,
  write(cookie) {
    // biome-ignore lint/suspicious/noDocumentCookie: browsers have the Cookie Store API only on https.
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

export const browserDomainToAscii: DomainToAscii = (domain) => {
  try {
    return new URL(`https://${domain}`).hostname
  } catch {
    return domain
  }
}
