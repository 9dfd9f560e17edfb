import { act, cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter, type NavigateFunction, useLocation, useNavigate } from 'react-router-dom'
import { onTestFinished } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import shell from '../../../index.html?raw'
import { element } from '../../../src/adapters/browser.ts'
import { connectDialog } from '../../../src/adapters/native-dialog.ts'
import { createContactDialog } from '../../../src/domain/contact-dialog.ts'
import { createNotificationCenter, type Notification } from '../../../src/domain/notification.ts'
import { prerender } from '../../../src/prerender.tsx'
import { PAGES } from '../../../src/routes.tsx'
import { ContactDialog } from '../../../src/ui/contact/contact-dialog.tsx'
import { App } from '../../../src/ui/page/app.tsx'
import { Providers } from '../../../src/ui/providers.tsx'
import { createFakeTimers } from '../fake-timers.ts'
import { createFakeBackend } from './fake-backend.ts'

const [prerendered] = prerender()
const nothing = () => {}

/** The prerendered page in the body of index.html, taken over by React, on a clock and a backend that wait for the test. */
export async function renderApp({ width = 1280, height = 800, beforeReact = nothing } = {}) {
  await page.viewport(width, height)
  const { body } = new DOMParser().parseFromString(shell, 'text/html')
  const parts = [...body.querySelectorAll('body > :is(div, dialog)')]
  document.body.append(...parts)
  element('root', HTMLElement).innerHTML = prerendered?.root ?? ''
  element('contact', HTMLElement).innerHTML = prerendered?.contact ?? ''
  // Away from where toasts appear.
  await userEvent.pointer({ target: document.body, coords: { x: 1, y: 1 } })
  beforeReact()

  const timers = createFakeTimers()
  const backend = createFakeBackend()
  const contactDialog = createContactDialog()
  connectDialog(contactDialog)
  const notifications = createNotificationCenter(timers)
  /** What the shared service told of the dialog, oldest first. */
  const dialogNews: boolean[] = []
  contactDialog.onChange((open) => dialogNews.push(open))
  const liveRegion = (urgency: string) => element(`toast-${urgency}`, HTMLElement)
  const ports = { backend, notifications, contactDialog, timers, liveRegion }

  let address = ''
  let navigate: NavigateFunction
  function AddressBar() {
    const { pathname, search } = useLocation()
    address = pathname + search
    navigate = useNavigate()
    return null
  }
  const put = (id: string, ui: ReactNode) =>
    render(
      <Providers ports={ports} onReady={nothing}>
        {ui}
      </Providers>,
      { container: element(id, HTMLElement), hydrate: true },
    )
  put('contact', <ContactDialog />)
  put(
    'root',
    <MemoryRouter>
      <AddressBar />
      <App pages={PAGES} />
    </MemoryRouter>,
  )
  onTestFinished(() => {
    cleanup()
    for (const part of parts) part.remove()
  })

  return {
    ...backend,
    contactDialog,
    dialogNews,
    show: (notification: Notification) => act(async () => notifications.show(notification)),
    /** Lets so many milliseconds pass on the page's clock, and on no other. */
    pass: (ms: number) => act(() => timers.advance(ms)),
    address: () => address,
    goTo: (path: string) => act(async () => navigate(path)),
    goBack: () => act(async () => navigate(-1)),
  }
}
