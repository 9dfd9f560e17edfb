import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { browserCookies, browserDomainToAscii, browserTimers, liveRegion } from './adapters/browser.ts'
import { tolerateForeignNodes } from './adapters/foreign-nodes.ts'
import { httpBackend } from './adapters/http-backend.ts'
import { keepControls, type ReplacementOf } from './adapters/replaced-controls.ts'
import type { DialogState } from './domain/contact-dialog.ts'
import { AUTH_COOKIE, readCookie } from './domain/cookies.ts'
import { createNotificationCenter } from './domain/notification.ts'
import { PAGES } from './routes.tsx'
import { ContactDialog } from './ui/contact/contact-dialog.tsx'
import { App } from './ui/page/app.tsx'
import { Providers } from './ui/providers.tsx'
import type { Services } from './ui/services-context.ts'

/** One of the page's React roots. */
type Part = {
  readonly root: Element
  /**
   * Hydrates the root in one step, so that no visitor types meanwhile. If something has changed the HTML, the root is
   * rendered again with the typed texts. The returned function finds the new control of an old one.
   */
  hydrate(): ReplacementOf
}

/** Prepares the app to take over the prerendered page, and the boot script's service of the dialog. */
export function start(contactDialog: DialogState): Part[] {
  const { dataset } = document.documentElement
  // A host may serve a page for other paths too: the address becomes the page's own.
  if (location.pathname !== dataset.path) history.replaceState(null, '', dataset.path + location.search + location.hash)

  // Read once when the app starts; nothing on this page uses it.
  readCookie(browserCookies.read(), AUTH_COOKIE)

  const services: Services = {
    backend: httpBackend({ origin: location.origin, cookies: browserCookies, timers: browserTimers }),
    domainToAscii: browserDomainToAscii,
    notifications: createNotificationCenter(browserTimers),
    contactDialog,
    timers: browserTimers,
    liveRegion,
  }
  tolerateForeignNodes()
  const parts = [
    part(
      'root',
      services,
      <BrowserRouter>
        <App pages={PAGES} />
      </BrowserRouter>,
    ),
    part('contact', services, <ContactDialog />),
  ]
  return parts.filter((part) => part !== null)
}

// With `speedy`, styles are rules of an empty tag, in development too: the content policy allows that.
const cache = createCache({ key: 'css', speedy: true })

/** A root by its id; null if an extension has removed it. */
function part(id: string, services: Services, ui: ReactNode): Part | null {
  const root = document.getElementById(id)
  if (!root) return null
  return {
    root,
    hydrate() {
      const { restore, replacementOf } = keepControls(root)
      flushSync(() => {
        hydrateRoot(
          root,
          <CacheProvider value={cache}>
            <Providers services={services}>{ui}</Providers>
          </CacheProvider>,
          { identifierPrefix: id, onRecoverableError: restore },
        )
      })
      return replacementOf
    },
  }
}
