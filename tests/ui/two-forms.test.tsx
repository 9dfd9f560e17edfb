import { act, cleanup, render } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { BrowserRouter } from 'react-router-dom'
import { expect, onTestFinished, test, vi } from 'vitest'
import { rememberVisitorState } from '../../src/adapters/changed-document.ts'
import { createWaitingForms } from '../../src/adapters/waiting-forms.ts'
import { SUBSCRIBE_TEXT, TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { App, type Page } from '../../src/ui/page/app.tsx'
import { ComingSoon } from '../../src/ui/page/coming-soon.tsx'
import { SubscribeForm } from '../../src/ui/subscribe/subscribe-form.tsx'
import { heldServices } from '../support/held-services.ts'
import { openPage } from '../support/ui/open-page.tsx'
import { outline } from '../support/ui/outline.ts'

const page = (path: string, element: React.ReactNode): Page => ({ path, title: path, description: '', element })
const TWO_FORMS = page(
  '/',
  <>
    <ComingSoon />
    <SubscribeForm />
  </>,
)
const ADDRESSES = ['ada@example.com', 'bob@example.com']
const PLACES = [0, 1]

/** The parts of the first or the second form. */
const fields = () => [...document.querySelectorAll<HTMLInputElement>('form input[data-email-field]')]
const field = (place: number) => fields()[place] ?? expect.unreachable(`form ${place}`)
const formOf = (place: number) => field(place).form ?? expect.unreachable(`form ${place}`)

/** The page after this text was submitted in one of its forms. */
async function submit(place: number, typed: string) {
  const opened = openPage([TWO_FORMS])
  await opened.user.type(field(place), `${typed}{Enter}`)
  return opened
}

test.each(PLACES)('an error shows at its own form, and moves the focus there: form %i', async (place) => {
  const other = 1 - place
  await submit(place, 'plain')
  expect(outline(formOf(place))).toContain(`(invalid, required, focused) — ${VALIDATION_TEXT.invalidEmail}`)
  expect(outline(formOf(other))).not.toMatch(/invalid/)
})

test.each(PLACES)('an outcome shows at its own form, and empties its own field: form %i', async (place) => {
  const other = 1 - place
  const { user, subscriptions } = await submit(place, 'ada@example.com')
  await user.type(field(other), 'bob@example.com')
  await subscriptions.answer('subscribed')
  const thanks = expect.stringContaining(SUBSCRIBE_TEXT.subscribed.detail)
  expect([outline(formOf(place)), field(place).value]).toEqual([thanks, ''])
  expect([outline(formOf(other)), field(other).value]).toEqual([expect.not.objectContaining(thanks), 'bob@example.com'])
})

test('no id stands on the page twice, and each field has its label', async () => {
  await submit(1, 'plain')
  const ids = [...document.querySelectorAll('[id]:not([id=false])')].map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)])
  expect(fields().map(({ labels }) => labels?.[0]?.textContent)).toEqual([TEXT.email, TEXT.email])
})

test.each(PLACES)('closing a notification leads to the form that was used last: form %i', async (place) => {
  const { user, closeToast } = await submit(1 - place, 'plain')
  await user.click(field(place))
  await user.click(document.body)
  await user.click(closeToast())
  expect(document.activeElement).toBe(field(place))
})

test('closing a notification leads to the first form if no form was used', async () => {
  const { open, fillIn, user, submit, close, enquiries, closeToast } = openPage([TWO_FORMS])
  await open()
  await fillIn()
  await user.click(submit())
  await close()
  await enquiries.answer('failed')
  await user.click(closeToast())
  expect(document.activeElement).toBe(field(0))
})

/** The prerendered page with two forms, used before the app is there. */
function openEarly() {
  const { services, subscriptions } = heldServices()
  const app = (onMounted: () => void) => (
    <BrowserRouter>
      <App services={services} pages={[TWO_FORMS]} onMounted={onMounted} />
    </BrowserRouter>
  )
  history.replaceState(null, '', '/')
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(app(() => {}))
  onTestFinished(() => {
    cleanup()
    container.remove()
  })
  const waitingForms = createWaitingForms()
  function start(hydrate: boolean) {
    const restoreVisitorState = rememberVisitorState(services.contactDialog)
    const onMounted = () => {
      restoreVisitorState()
      waitingForms.submit()
    }
    render(app(onMounted), { container, hydrate })
  }
  return { waitingForms, subscriptions, start }
}

test.each(
  PLACES.flatMap((place) => [
    { place, how: 'takes over', hydrate: true },
    { place, how: 'replaces', hydrate: false },
  ]),
)('an early submit of form $place is sent when React $how its HTML', ({ place, hydrate }) => {
  const { waitingForms, subscriptions, start } = openEarly()
  // In development React complains about attributes of the waiting form, which React leaves as they are.
  const complain = vi.mocked(console.error).mockImplementation(() => {})
  for (const each of PLACES) field(each).value = ADDRESSES[each] ?? ''
  field(place).focus()
  waitingForms.add(formOf(place))
  start(hydrate)
  expect(subscriptions.sent).toEqual([ADDRESSES[place]])
  expect(fields().map(({ value }) => value)).toEqual(ADDRESSES)
  expect(document.activeElement).toBe(field(place))
  complain.mockReset()
})

test("when the app can't be loaded, only the waiting form shows the failure", () => {
  const { waitingForms } = openEarly()
  waitingForms.add(formOf(1))
  // No form waits for the second start, which fails too.
  for (const _failure of [1, 2]) waitingForms.giveUp()
  const failed = PLACES.filter((place) => outline(formOf(place)).includes(TEXT.reload))
  expect(failed).toEqual([1])
})

test('an error of one page does not show on another', async () => {
  const { user } = openPage([page('/', <ComingSoon />), page('/other', <ComingSoon />)])
  await user.type(field(0), 'plain{Enter}')
  await act(async () => {
    history.pushState(null, '', '/other')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  expect([outline(formOf(0)), field(0).value]).toEqual([expect.not.stringMatching(/invalid/), ''])
})
