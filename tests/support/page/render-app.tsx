import { act, cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter, type NavigateFunction, useLocation, useNavigate } from 'react-router-dom'
import { afterEach } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import shell from '../../../index.html?raw'
import { element } from '../../../src/adapters/browser.ts'
import { connectDialog } from '../../../src/adapters/native-dialog.ts'
import { createContactDialog } from '../../../src/domain/contact-dialog.ts'
import { createNotificationCenter } from '../../../src/domain/notification.ts'
import { PAGES } from '../../../src/routes.tsx'
import { ContactDialog } from '../../../src/ui/contact/contact-dialog.tsx'
import { App } from '../../../src/ui/page/app.tsx'
import { Providers } from '../../../src/ui/providers.tsx'
import { createFakeTimers } from '../fake-timers.ts'
import { createFakeBackend } from './fake-backend.ts'

let shown: Element[] = []
const nothing = () => {}

afterEach(() => {
  cleanup()
  for (const element of shown) element.remove()
})

/** The whole page in the body of index.html, on a clock and a backend that wait for the test. */
export async function renderApp({ path = '/', width = 1280, height = 800 } = {}) {
  await page.viewport(width, height)
  shown = [...new DOMParser().parseFromString(shell, 'text/html').body.querySelectorAll('body > :is(div, dialog)')]
  document.body.append(...shown)
  // Away from where toasts appear.
  await userEvent.pointer({ target: document.body, coords: { x: 1, y: 1 } })

  const timers = createFakeTimers()
  const backend = createFakeBackend()
  const contactDialog = createContactDialog()
  connectDialog(element('contact-dialog', HTMLDialogElement), element('notifications', HTMLElement), contactDialog)
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
        <MemoryRouter initialEntries={[path]}>{ui}</MemoryRouter>
      </Providers>,
      { container: element(id, HTMLElement) },
    )
  put('contact', <ContactDialog />)
  put('root', [<AddressBar key="bar" />, <App key="app" pages={PAGES} />])

  return {
    ...backend,
    contactDialog,
    notifications,
    timers,
    dialogNews,
    /** Lets so many milliseconds pass on the page's clock, and on no other. */
    pass: (ms: number) => act(() => timers.advance(ms)),
    address: () => address,
    goTo: (path: string) => act(async () => navigate(path)),
    goBack: () => act(async () => navigate(-1)),
  }
}
