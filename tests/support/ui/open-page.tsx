import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { BrowserRouter } from 'react-router-dom'
import { onTestFinished, vi } from 'vitest'
import { nativeDialog } from '../../../src/adapters/native-dialog.ts'
import { type Enquiry, FIELD_NAMES, FIELDS, type FieldName, mapFields } from '../../../src/domain/enquiry-fields.ts'
import type { SubscribeAnswer, Timers } from '../../../src/domain/ports.ts'
import type { Services } from '../../../src/domain/services.ts'
import { TEXT } from '../../../src/domain/texts.ts'
import { SCRIPTS_RUN } from '../../../src/element-names.ts'
import { PAGES } from '../../../src/routes.tsx'
import { App } from '../../../src/ui/page/app.tsx'
import { anEnquiry } from '../enquiries.ts'
import { heldServices } from '../held-services.ts'
import { outline } from './outline.ts'

/** Lets React draw what a step changes. */
const inAct =
  <Argument,>(step: (argument: Argument) => Promise<unknown>) =>
  (argument: Argument) =>
    act(async () => void (await step(argument)))

/** Timers whose time passes only by `pass`. */
function heldTimers() {
  const alarms = new Set<{ readonly due: number; readonly run: () => void }>()
  let now = 0
  const after: Timers['after'] = (delay, run) => {
    const alarm = { due: now + delay, run }
    alarms.add(alarm)
    return () => alarms.delete(alarm)
  }
  async function pass(ms: number) {
    now += ms
    for (const alarm of alarms) if (alarm.due <= now && alarms.delete(alarm)) await act(async () => alarm.run())
  }
  return { timers: { after, every: after }, pass }
}

/** The dialog's service, which listens at the window until the test ends. */
function openDialogService() {
  const listening = vi.spyOn(window, 'addEventListener')
  const service = nativeDialog(Promise.resolve())
  const listeners = listening.mock.calls
  listening.mockRestore()
  onTestFinished(() => {
    for (const [type, listener, options] of listeners) removeEventListener(type, listener, options)
  })
  return service
}

/** Renders the app with real parts. The test answers its calls, and lets its time pass. */
export function openPage(pages = PAGES, links: Services['links'] = []) {
  history.replaceState(null, '', '/')
  document.documentElement.setAttribute(SCRIPTS_RUN, '')
  const user = userEvent.setup({ delay: null })
  const { timers, pass } = heldTimers()
  const { services, subscriptions, enquiries } = heldServices({ contactDialog: openDialogService(), links, timers })
  onTestFinished(cleanup)
  render(
    <BrowserRouter>
      <App services={services} pages={pages} />
    </BrowserRouter>,
  )
  const main = () => within(screen.getByRole('main'))
  const dialog = () => within(screen.getByRole('dialog'))
  const email = () => main().getByLabelText<HTMLInputElement>(TEXT.email)
  const subscribe = () => main().getByRole('button', { name: TEXT.subscribe })
  const contactUs = () => screen.getByRole('button', { name: TEXT.contactUs })
  // Some components have several elements with the label.
  const field = (name: FieldName) =>
    dialog().getByLabelText<HTMLInputElement>(FIELDS[name].label, { selector: `[name=${name}]` })
  const submit = () => dialog().getByRole('button', { name: TEXT.submit })
  async function put(place: HTMLInputElement, text: string) {
    if (place.matches('select')) return user.selectOptions(place, text)
    if (place.matches('[type=checkbox], [type=radio]')) return user.click(place)
    await user.clear(place)
    if (text) await user.paste(text)
  }
  // A notification that fades out is inert.
  const toasts = () => [...document.querySelectorAll<HTMLElement>('[data-severity]:not([inert])')]
  return {
    user,
    pass,
    subscriptions: { sent: subscriptions.sent, answer: inAct(subscriptions.answer) },
    enquiries: { sent: enquiries.sent, answer: inAct(enquiries.answer) },
    email,
    subscribe,
    contactUs,
    field,
    submit,
    toasts,
    closeToast: () => within(toasts()[0] ?? document.body).getByRole('button', { name: TEXT.close }),
    tryAgain: () => dialog().getByRole('button', { name: TEXT.tryAgain }),
    // What assistive technology finds.
    toast: () => outline(...toasts()),
    /** The form to subscribe and the notification. */
    outcome: () => outline(email().form ?? email(), ...toasts()),
    dialog: () => outline(...screen.queryAllByRole('dialog')),
    /** The outline of the dialog from Submit on: the button and the status. */
    status: () => outline(...screen.queryAllByRole('dialog')).replace(/^.*(?='Submit')/s, ''),
    async subscribeAs(typed: string) {
      await put(email(), typed)
      await user.click(subscribe())
    },
    open: () => user.click(contactUs()),
    close: () => user.click(dialog().getByRole('button', { name: TEXT.close, description: TEXT.contactUs })),
    typed: () => mapFields((name) => field(name).value),
    async fillIn(enquiry: Partial<Enquiry> = anEnquiry()) {
      for (const name of FIELD_NAMES) if (enquiry[name]) await put(field(name), enquiry[name])
      for (const box of dialog().queryAllByRole<HTMLInputElement>('checkbox'))
        if (box.required && !box.checked) await user.click(box)
    },
  }
}

/** The page after a visitor subscribed with this text, and got an answer. */
export async function openSubscribed(typed: string, answer?: SubscribeAnswer) {
  const page = openPage()
  await page.subscribeAs(typed)
  if (answer) await page.subscriptions.answer(answer)
  return page
}
