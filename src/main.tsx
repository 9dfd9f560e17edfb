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
import type { Services } from './ui/services-context.ts'

/** Takes over the prerendered page, and the boot script's services. */
export function start(contactDialog: DialogState, takeOver: Services['takeOver']): void {
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
    takeOver,
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
    // A part that a translation has changed is rendered anew, and then takes its texts over: no error.
    { onRecoverableError: () => {} },
  )
}
