import type { CookieJar, DomainToAscii, Timers } from '../domain/ports.ts'

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

/** The element of index.html with this id. Throws if it is missing or of another kind. */
export function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`index.html has no ${kind.name} #${id}.`)
}

/**
 * The live region for notifications, which is in the document before the app runs. If an extension has removed it, the
 * notification still becomes visible, in the open dialog or in the page.
 */
export const liveRegion = (urgency: 'status' | 'alert'): Element =>
  document.getElementById(`notification-${urgency}`) ?? document.querySelector('dialog[open]') ?? document.body

/**
 * Watches whether an input method composes a word. The returned function waits until the word is complete: the
 * composition would break off if its field was replaced.
 */
export function watchComposition(): () => Promise<void> {
  let composition: Promise<void> | null = null
  let endComposition = () => {}
  const listen = (type: string, listener: (event: Event) => void) => addEventListener(type, listener, { capture: true })
  listen('compositionstart', () => {
    composition ??= new Promise((resolve) => {
      endComposition = () => {
        composition = null
        resolve()
      }
    })
  })
  // A press or another key also ends the composition, because a field that was removed sends no compositionend.
  for (const type of ['compositionend', 'pointerdown', 'keydown'])
    listen(type, (event) => (event instanceof KeyboardEvent && event.isComposing) || endComposition())
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
