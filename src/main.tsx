import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { type ReactNode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { browserCookies, browserTimers, element, ignoreRepeatedPresses } from './adapters/browser.ts'
import { httpBackend } from './adapters/http-backend.ts'
import { connectDialog } from './adapters/native-dialog.ts'
import { createContactDialog } from './domain/contact-dialog.ts'
import { AUTH_COOKIE, readCookie } from './domain/cookies.ts'
import { createNotificationCenter } from './domain/notification.ts'
import { PAGES } from './routes.tsx'
import { ContactDialog } from './ui/contact/contact-dialog.tsx'
import { App } from './ui/page/app.tsx'
import type { Ports } from './ui/ports-context.ts'
import { Providers } from './ui/providers.tsx'

const { dataset } = document.documentElement
// Of two imports, one after the timeout of the other, the first to arrive is the app.
if (dataset.app) await new Promise(() => {})
dataset.app = 'started'

// A host may serve a page for other paths too: the address becomes the page's own.
if (location.pathname !== dataset.path) history.replaceState(null, '', dataset.path + location.search + location.hash)

// Read once when the app starts; nothing on this page uses it.
readCookie(browserCookies.read(), AUTH_COOKIE)

const contactDialog = createContactDialog()
const ports: Ports = {
  backend: httpBackend({ origin: location.origin, cookies: browserCookies, timers: browserTimers }),
  notifications: createNotificationCenter(browserTimers),
  contactDialog,
  timers: browserTimers,
  liveRegion: (urgency) => element(`toast-${urgency}`, HTMLElement),
}

// In development too, styles are rules of an empty tag, which the content policy allows.
const cache = createCache({ key: 'css', speedy: true })

/** Resolves when React answers the events of this part of the page. */
function hydrate(id: string, ui: ReactNode): Promise<void> {
  return new Promise((resolve) => {
    const app = (
      <CacheProvider value={cache}>
        <Providers ports={ports} onReady={resolve}>
          {ui}
        </Providers>
      </CacheProvider>
    )
    // In a transition React takes breaks, so that a busy phone goes on scrolling.
    startTransition(() => {
      hydrateRoot(element(id, HTMLElement), app, { identifierPrefix: id })
    })
  })
}

// The boot script waits for this module. Until then it answers the dialog; then it presses again what it has held.
await Promise.all([
  hydrate(
    'root',
    <BrowserRouter>
      <App pages={PAGES} />
    </BrowserRouter>,
  ),
  hydrate('contact', <ContactDialog />),
])
contactDialog.set(element('contact-dialog', HTMLDialogElement).open)
connectDialog(contactDialog)
ignoreRepeatedPresses()
