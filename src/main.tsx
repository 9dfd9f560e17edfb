import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { browserCookies, browserDomainToAscii, browserTimers } from './adapters/browser.ts'
import { rememberVisitorState, tolerateMovedNodes } from './adapters/changed-document.ts'
import { httpBackend } from './adapters/http-backend.ts'
import type { ContactDialog } from './domain/contact-dialog.ts'
import { AUTH_COOKIE, readCookie } from './domain/cookies.ts'
import { pageLinks } from './domain/links.ts'
import { createServices } from './domain/services.ts'
import { PAGES } from './routes.tsx'
import { App } from './ui/page/app.tsx'

/** Starts the app: React takes over the prerendered page. Calls `onMounted` once when the app handles every element. */
export function start(contactDialog: ContactDialog, onMounted: () => void): void {
  // The specification asks to read the auth cookie once. Nothing uses the value.
  readCookie(browserCookies.read(), AUTH_COOKIE)

  const services = createServices({
    backend: httpBackend({ origin: location.origin, cookies: browserCookies }),
    contactDialog,
    domainToAscii: browserDomainToAscii,
    links: pageLinks(import.meta.env.LINK_SETTINGS),
    timers: browserTimers,
  })
  tolerateMovedNodes()
  const restoreVisitorState = rememberVisitorState(contactDialog)
  const mounted = () => {
    restoreVisitorState()
    onMounted()
  }
  hydrateRoot(
    document.body,
    // With `speedy` Emotion adds its rules to an empty style tag. The content policy allows no other new style tag.
    <CacheProvider value={createCache({ key: 'css', speedy: true })}>
      <BrowserRouter>
        <App services={services} pages={PAGES} onMounted={mounted} />
      </BrowserRouter>
    </CacheProvider>,
    // The error boundary hides an error from the browser. Report it, so that the console shows it.
    { onCaughtError: reportError },
  )
}
