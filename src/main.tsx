import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { browserCookies, browserDomainToAscii, browserTimers } from './adapters/browser.ts'
import { rememberUse, tolerateForeignNodes } from './adapters/changed-document.ts'
import { httpBackend } from './adapters/http-backend.ts'
import type { ContactDialog } from './domain/contact-dialog.ts'
import { AUTH_COOKIE, readCookie } from './domain/cookies.ts'
import { pageLinks } from './domain/links.ts'
import { createServices } from './domain/services.ts'
import { PAGES } from './routes.tsx'
import { App } from './ui/page/app.tsx'

/** Takes over the prerendered page, and calls `onMounted` once when every element of it is React's. */
export function start(contactDialog: ContactDialog, onMounted: () => void): void {
  // Read once when the app starts; nothing on this page uses it.
  readCookie(browserCookies.read(), AUTH_COOKIE)

  const services = createServices({
    backend: httpBackend({ origin: location.origin, cookies: browserCookies }),
    contactDialog,
    domainToAscii: browserDomainToAscii,
    links: pageLinks(import.meta.env.LINK_SETTINGS),
    timers: browserTimers,
  })
  tolerateForeignNodes()
  const giveBackUse = rememberUse(contactDialog)
  const mounted = () => {
    giveBackUse()
    onMounted()
  }
  hydrateRoot(
    document.body,
    // With `speedy`, styles are rules of an empty tag, in development too: the content policy allows that.
    <CacheProvider value={createCache({ key: 'css', speedy: true })}>
      <BrowserRouter>
        <App services={services} pages={PAGES} onMounted={mounted} />
      </BrowserRouter>
    </CacheProvider>,
    // The error boundary catches a fault; the console of the browser still has to show it.
    { onCaughtError: reportError },
  )
}
