import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { browserCookies, browserDomainToAscii, browserTimers } from './adapters/browser.ts'
import { tolerateForeignNodes } from './adapters/foreign-nodes.ts'
import { httpBackend } from './adapters/http-backend.ts'
import type { DialogState } from './domain/contact-dialog.ts'
import { AUTH_COOKIE, readCookie } from './domain/cookies.ts'
import { createNotificationCenter } from './domain/notification.ts'
import { PAGES } from './routes.tsx'
import { App } from './ui/page/app.tsx'
import { Providers } from './ui/providers.tsx'

/** Takes over the prerendered page. Calls `onReplaced` right after React has rendered a part of it anew. */
export function start(contactDialog: DialogState, onReplaced: () => void): void {
  const { path } = document.documentElement.dataset
  // A host may serve a page for other paths too: the address becomes the page's own.
  if (location.pathname !== path) history.replaceState(null, '', path + location.search + location.hash)

  // Read once when the app starts; nothing on this page uses it.
  readCookie(browserCookies.read(), AUTH_COOKIE)

  const services = {
    backend: httpBackend({ origin: location.origin, cookies: browserCookies, timers: browserTimers }),
    domainToAscii: browserDomainToAscii,
    notifications: createNotificationCenter(browserTimers),
    contactDialog,
    timers: browserTimers,
  }
  tolerateForeignNodes()
  hydrateRoot(
    document.body,
    // With `speedy`, styles are rules of an empty tag, in development too: the content policy allows that.
    <CacheProvider value={createCache({ key: 'css', speedy: true })}>
      <Providers services={services}>
        <BrowserRouter>
          <App pages={PAGES} />
        </BrowserRouter>
      </Providers>
    </CacheProvider>,
    {
      // React calls this when it has rendered a part anew, because a translation or an extension had changed its HTML.
      onRecoverableError: onReplaced,
      // A fault is told like any other error of the page, although the boundary catches it.
      onCaughtError: reportError,
    },
  )
}
