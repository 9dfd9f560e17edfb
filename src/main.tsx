import { type ReactNode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { browserCookies, browserTimers, element } from './adapters/browser.ts'
import { httpBackend } from './adapters/http-backend.ts'
import { keepInput } from './adapters/kept-input.ts'
import './boot/hand-over.ts'
import { AUTH_COOKIE, readCookie } from './domain/cookies.ts'
import { createNotificationCenter } from './domain/notification.ts'
import { PAGES } from './routes.tsx'
import { ContactDialog } from './ui/contact/contact-dialog.tsx'
import { App } from './ui/page/app.tsx'
import type { Ports } from './ui/ports-context.ts'
import { Providers } from './ui/providers.tsx'

// Read once when the app starts; nothing on this page uses it.
readCookie(browserCookies.read(), AUTH_COOKIE)

const { contactDialog, fetch } = window.handOver
const ports: Ports = {
  backend: httpBackend({ origin: location.origin, cookies: browserCookies, timers: browserTimers, fetch }),
  notifications: createNotificationCenter(browserTimers),
  contactDialog,
  timers: browserTimers,
  liveRegion: (urgency) => element(`toast-${urgency}`, HTMLElement),
}

/** Resolves when React answers the events of this part of the page. */
function hydrate(id: string, ui: ReactNode): Promise<void> {
  const container = element(id, HTMLElement)
  const input = keepInput(container)
  return new Promise((resolve) => {
    function ready() {
      input.replay()
      resolve()
    }
    const app = (
      <Providers ports={ports} onReady={ready}>
        {ui}
      </Providers>
    )
    // React renders anew what somebody else has changed, a translator or an extension.
    const options = { identifierPrefix: id, onRecoverableError: input.move }
    // In a transition React takes breaks, so that a busy phone goes on scrolling.
    startTransition(() => {
      hydrateRoot(container, app, options)
    })
  })
}

// Whoever imports this waits for it: then the app answers.
await Promise.all([
  hydrate(
    'root',
    <BrowserRouter>
      <App pages={PAGES} />
    </BrowserRouter>,
  ),
  hydrate('contact', <ContactDialog />),
])
