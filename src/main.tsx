import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { browserCookies, browserTimers } from './adapters/browser.ts'
import { httpBackend } from './adapters/http-backend.ts'
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
  liveRegion: (urgency) => element(`toast-${urgency}`),
}

createRoot(element('root')).render(
  <PortsContext value={ports}>
    <BrowserRouter>
      <App />
    </BrowserRouter>
  </PortsContext>,
)

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`index.html has no #${id}.`)
  return found
}
