import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { type ReactNode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { browserCookies, browserTimers, element, ignoreRepeatedPresses } from './adapters/browser.ts'
import { httpBackend } from './adapters/http-backend.ts'
import type { DialogState } from './domain/contact-dialog.ts'
import { AUTH_COOKIE, readCookie } from './domain/cookies.ts'
import { createNotificationCenter } from './domain/notification.ts'
import { PAGES } from './routes.tsx'
import { ContactDialog } from './ui/contact/contact-dialog.tsx'
import { App } from './ui/page/app.tsx'
import { Providers } from './ui/providers.tsx'
import type { Services } from './ui/services-context.ts'

/**
 * Takes the prerendered page over from the boot script, and goes on with its service of the dialog. A press counts from
 * now on: React hydrates at once what is clicked (its selective hydration), and the rest when the browser has time.
 */
export function start(contactDialog: DialogState): void {
  const { dataset } = document.documentElement
  // A host may serve a page for other paths too: the address becomes the page's own.
  if (location.pathname !== dataset.path) history.replaceState(null, '', dataset.path + location.search + location.hash)

  // Read once when the app starts; nothing on this page uses it.
  readCookie(browserCookies.read(), AUTH_COOKIE)

  const services: Services = {
    backend: httpBackend({ origin: location.origin, cookies: browserCookies, timers: browserTimers }),
    notifications: createNotificationCenter(browserTimers),
    contactDialog,
    timers: browserTimers,
    liveRegion: (urgency) => element(`notification-${urgency}`, HTMLElement),
  }
  hydrate(
    'root',
    services,
    <BrowserRouter>
      <App pages={PAGES} />
    </BrowserRouter>,
  )
  hydrate('contact', services, <ContactDialog />)
  ignoreRepeatedPresses()
}

// By `speedy`, styles are rules of an empty tag in development too, which the content policy allows.
const cache = createCache({ key: 'css', speedy: true })

function hydrate(id: string, services: Services, ui: ReactNode) {
  // In a transition React takes breaks, so that a busy phone goes on scrolling.
  startTransition(() => {
    hydrateRoot(
      element(id, HTMLElement),
      <CacheProvider value={cache}>
        <Providers services={services}>{ui}</Providers>
      </CacheProvider>,
      { identifierPrefix: id },
    )
  })
}
