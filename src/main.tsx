import { startTransition, useEffect } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { browserCookies, browserTimers, whenIdle } from './adapters/browser.ts'
import { httpBackend } from './adapters/http-backend.ts'
import { APP_READY } from './app-ready.ts'
import { createContactDialog } from './domain/contact-dialog.ts'
import { AUTH_COOKIE, readCookie } from './domain/cookies.ts'
import { createNotificationCenter } from './domain/notification.ts'
import { App } from './ui/app.tsx'
import { type Ports, PortsContext } from './ui/ports-context.ts'

// Read once when the app starts; nothing on this page uses it.
readCookie(browserCookies, AUTH_COOKIE)

const ports: Ports = {
  backend: httpBackend({ origin: location.origin, cookies: browserCookies, timers: browserTimers }),
  timers: browserTimers,
  notifications: createNotificationCenter(browserTimers),
  contactDialog: createContactDialog(),
  loadContactDialog: async () => (await import('./ui/contact-dialog.tsx')).ContactDialog,
  whenIdle,
  liveRegion: (urgency) => element(`toast-${urgency}`),
}

const root = element('root')
const app = (
  <PortsContext value={ports}>
    <BrowserRouter>
      <App />
    </BrowserRouter>
    <Ready />
  </PortsContext>
)
// In a transition React takes breaks, so that a busy phone goes on scrolling.
startTransition(() => {
  if (root.hasChildNodes()) hydrateRoot(root, app)
  else createRoot(root).render(app)
})

function Ready() {
  useEffect(() => {
    document.dispatchEvent(new Event(APP_READY))
  }, [])
  return null
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`index.html has no #${id}.`)
  return found
}
