import type { CookieJar, DomainToAscii, Timers } from '../domain/ports.ts'

export const browserCookies: CookieJar = {
  read() {
    try {
      return document.cookie
    } catch {
      // In a sandbox without an origin of its own the page has no cookies.
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

/** By the browser's own parser of URLs, which takes more signs for the end of a host than a domain may have. */
export const browserDomainToAscii: DomainToAscii = (domain) => {
  try {
    return /[\s/?#:@\\%[\]]/.test(domain) ? domain : new URL(`https://${domain}`).hostname
  } catch {
    return domain
  }
}

/** The element of index.html with this id. Throws if there is none of this kind. */
export function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`index.html has no ${kind.name} #${id}.`)
}

/**
 * The live region for what is announced, which stands in the document before the app does. If an extension has taken it
 * away, the notification is seen all the same: in the page, or in the open dialog.
 */
export const liveRegion = (urgency: 'status' | 'alert'): Element =>
  document.getElementById(`notification-${urgency}`) ?? document.querySelector('dialog[open]') ?? document.body

/**
 * Watches for words that an input method composes. What it returns waits until there is none: a composition would break
 * off if its field was replaced.
 */
export function watchComposition(): () => Promise<void> {
  let composition: Promise<void> | null = null
  let end = () => {}
  const listen = (sign: string, listener: (event: Event) => void) => addEventListener(sign, listener, { capture: true })
  listen('compositionstart', () => {
    composition ??= new Promise((resolve) => {
      end = () => {
        composition = null
        resolve()
      }
    })
  })
  // A press or another key ends it too, also where its field has been taken away and tells no end.
  for (const sign of ['compositionend', 'pointerdown', 'keydown'])
    listen(sign, (event) => (event instanceof KeyboardEvent && event.isComposing) || end())
  return async () => {
    while (composition) await composition
  }
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
