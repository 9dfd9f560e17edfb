import { act } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router-dom'
import { onTestFinished } from 'vitest'
import { commands, page } from 'vitest/browser'
import { browserDomainToAscii, ignoreRepeatedPresses } from '../../../src/adapters/browser.ts'
import { nativeDialog } from '../../../src/adapters/native-dialog.ts'
import type { Enquiry } from '../../../src/domain/enquiry.ts'
import { createNotificationCenter, type Notification } from '../../../src/domain/notification.ts'
import type { EnquiryAnswer, SubscribeAnswer, Timers } from '../../../src/domain/ports.ts'
import { SCRIPTS_RUN } from '../../../src/page-marks.ts'
import type { PrerenderedPage } from '../../../src/prerender.tsx'
import { PAGES } from '../../../src/routes.tsx'
import { App } from '../../../src/ui/page/app.tsx'
import { Providers } from '../../../src/ui/providers.tsx'

declare module 'vitest/browser' {
  interface BrowserCommands {
    prerenderPages(): Promise<PrerenderedPage[]>
  }
}

const [prerendered] = await commands.prerenderPages()
ignoreRepeatedPresses()

/** Calls that wait until the test answers them, the oldest first. */
function callsThatWait<Sent, Answer>() {
  const sent: Sent[] = []
  const waiting: PromiseWithResolvers<Answer>[] = []
  return {
    sent,
    call(message: Sent): Promise<Answer> {
      sent.push(message)
      const call = Promise.withResolvers<Answer>()
      waiting.push(call)
      return call.promise
    },
    answer: (answer: Answer) => act(async () => waiting.shift()?.resolve(answer)),
  }
}

/** Timers whose time passes only by `pass`. */
function timersThatWait() {
  const alarms = new Set<{ readonly due: number; readonly run: () => void }>()
  let now = 0
  function after(delay: number, run: () => void) {
    const alarm = { due: now + delay, run }
    alarms.add(alarm)
    return () => alarms.delete(alarm)
  }
  function pass(ms: number) {
    now += ms
    for (const alarm of alarms) if (alarm.due <= now && alarms.delete(alarm)) alarm.run()
  }
  // The app needs no repeating timers.
  const timers: Timers = { after, every: after }
  return { timers, pass }
}

/** Renders the prerendered page with React. The test controls its clock and its backend. */
export async function renderApp() {
  await page.viewport(1280, 800)
  // The boot script sets this mark.
  document.documentElement.setAttribute(SCRIPTS_RUN, '')
  document.body.innerHTML = prerendered?.body ?? ''

  const { timers, pass } = timersThatWait()
  const subscriptions = callsThatWait<string, SubscribeAnswer>()
  const enquiries = callsThatWait<Enquiry, EnquiryAnswer>()
  const backend = { subscribe: subscriptions.call, sendEnquiry: enquiries.call }
  const contactDialog = nativeDialog(Promise.resolve())
  const notifications = createNotificationCenter(timers)
  const services = { backend, notifications, contactDialog, timers, domainToAscii: browserDomainToAscii }
  /** The states of the dialog that the shared service reported, oldest first. */
  const dialogStates: boolean[] = []
  contactDialog.onChange((open) => dialogStates.push(open))

  const root = await act(async () =>
    hydrateRoot(
      document.body,
      <Providers services={services}>
        <MemoryRouter>
          <App pages={PAGES} />
        </MemoryRouter>
      </Providers>,
    ),
  )
  onTestFinished(() =>
    act(() => {
      // Puts the notifications back to where React expects them.
      contactDialog.set(false)
      root.unmount()
    }),
  )
  return {
    subscriptions,
    enquiries,
    contactDialog,
    dialogStates,
    show: (notification: Notification) => act(async () => notifications.show(notification)),
    /** Advances the clock of the page by so many milliseconds, and no other clock. */
    pass: (ms: number) => act(() => pass(ms)),
  }
}
