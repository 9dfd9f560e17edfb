import { act, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ENQUIRY_FIELDS, mapFields, type TypedEnquiry } from '../../src/domain/enquiry.ts'
import type { EnquiryAnswer } from '../../src/domain/ports.ts'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { listen } from '../support/page/listen.ts'
import {
  closeDialog,
  closeIcon,
  field,
  fillIn,
  openDialog,
  places,
  shownNotification,
  shownNotifications,
  submitButton,
  typedText,
} from '../support/page/parts.ts'
import { renderApp } from '../support/page/render-app.tsx'

const ENQUIRY = anEnquiry()
const EMPTY = mapFields(() => '')

const outcome = () => submitButton().parentElement?.querySelector('[aria-live]') as HTMLElement
const tryAgain = () => screen.getByRole('button', { name: TEXT.tryAgain })
const spinner = () => outcome().querySelector<HTMLElement>('.chakra-spinner')

/** Submitted by a double Enter: only one may be sent. */
async function renderSent(viewport: Parameters<typeof page.viewport> = [1280, 800]) {
  const app = await renderApp()
  await page.viewport(...viewport)
  const dialog = await openDialog()
  await fillIn(ENQUIRY)
  const parts: [HTMLElement, HTMLElement, ...HTMLElement[]] = [
    within(dialog).getByRole('heading'),
    closeIcon(),
    submitButton(),
    ...document.forms,
  ]
  const atRest = places(parts)
  const heard = listen()
  submitButton().focus()
  await userEvent.keyboard('{Enter}{Enter}')
  expect(app.enquiries.sent).toEqual([ENQUIRY])
  return { ...app, heard, parts, atRest }
}

/** What was sent stays to be read, and neither Enter nor a click nor typing does anything. */
async function expectLocked() {
  expect(submitButton()).toHaveAttribute('aria-disabled', 'true')
  for (const name of ENQUIRY_FIELDS) expect(field(name).readOnly).toBe(true)
  await userEvent.click(submitButton(), { force: true })
  await userEvent.click(field('first'))
  await userEvent.keyboard('x{Enter}')
  expect(typedText()).toEqual(ENQUIRY)
}

/** The form as a new opening shows it, with this text. */
function expectReady(text: TypedEnquiry) {
  expect(typedText()).toEqual(text)
  expect(submitButton()).toHaveAttribute('aria-disabled', 'false')
  expect(spinner()).toBeNull()
  expect(outcome().innerText).toBe('')
  for (const name of ENQUIRY_FIELDS) expect(field(name).readOnly).toBe(false)
}

function expectOutcome(text: string, hue: 'red' | 'green') {
  const message = within(outcome()).getByText(text)
  expect(message).toBeVisible()
  const [red = 0, green = 0] = (getComputedStyle(message).color.match(/\d+/g) ?? []).map(Number)
  expect(red > green ? 'red' : 'green').toBe(hue)
  expect(spinner()).toBeNull()
  expect(shownNotifications()).toEqual([])
}

test('the form turns a spinner of 50 px, also when it is opened again, keeps text and focus, and thanks in green; then it is empty', async () => {
  const { enquiries, contactDialog, dialogNews, pass, heard } = await renderSent()
  expect(spinner()).toBeVisible()
  expect([spinner()?.offsetWidth, spinner()?.offsetHeight]).toEqual([50, 50])
  expect(submitButton()).toHaveFocus()
  pass(1000)
  expect(heard()).toEqual([TEXT.sending])
  await closeDialog()
  await openDialog()
  expect(spinner()).toBeVisible()
  expect(submitButton()).toHaveFocus()
  await expectLocked()

  await enquiries.answer('received')
  expect(heard()).toEqual([ENQUIRY_TEXT.received])
  expectOutcome(ENQUIRY_TEXT.received, 'green')
  await expectLocked()
  expect(enquiries.sent).toHaveLength(1)
  expect(dialogNews, 'the answer opens nothing').toEqual([true, false, true])
  // Before it has quite closed.
  for (const open of [false, true]) await act(async () => contactDialog.set(open))
  expectReady(EMPTY)
})

test('on a phone a failure is told in red, moves nothing, and the text outlives a close', async () => {
  const { enquiries, heard, parts, atRest } = await renderSent([390, 700])
  expect(places(parts)).toEqual(atRest)
  await enquiries.answer('declined')
  expect(places(parts)).toEqual(atRest)
  expect(heard()).toEqual([ENQUIRY_TEXT.failed])
  expectOutcome(ENQUIRY_TEXT.failed, 'red')
  await expectLocked()
  await closeDialog()
  await openDialog()
  expectReady(ENQUIRY)
  await userEvent.click(submitButton())
  expect(enquiries.sent).toEqual([ENQUIRY, ENQUIRY])
})

test('on a low screen the outcome is brought onto the screen, and title and Close stay there', async () => {
  const { enquiries, parts } = await renderSent([740, 360])
  await enquiries.answer('failed')
  const [title, close] = parts
  for (const { top, height } of places([title, close, tryAgain()])) {
    expect(top).toBeGreaterThanOrEqual(0)
    expect(top + height).toBeLessThanOrEqual(360)
  }
})

test.each<[EnquiryAnswer, string, left: number, TypedEnquiry]>([
  ['received', `${NOTIFICATION_TEXT.subscribed.summary} ${ENQUIRY_TEXT.received}`, 0, EMPTY],
  ['failed', `${NOTIFICATION_TEXT.failed.summary} ${ENQUIRY_TEXT.notSent}`, 1, ENQUIRY],
])('an enquiry that is %s after the dialog was closed is told by a notification', async (answer, text, left, kept) => {
  const { enquiries, pass, dialogNews } = await renderSent()
  await closeDialog()
  dialogNews.splice(0)
  await enquiries.answer(answer)
  expect(shownNotification()).toHaveTextContent(text)
  expect(dialogNews, 'the answer opens nothing').toEqual([])
  await openDialog()
  expectReady(kept)
  pass(3000)
  expect(shownNotifications()).toHaveLength(left)
  expect(enquiries.sent).toHaveLength(1)
})

test('a backend that throws has failed, and leaves nothing busy', async () => {
  const { enquiries } = await renderSent()
  await enquiries.breakOff()
  expectOutcome(ENQUIRY_TEXT.failed, 'red')
})

test('Try again closes the dialog and opens it again, with the text and the focus at Submit', async () => {
  const { enquiries, dialogNews } = await renderSent()
  await enquiries.answer('failed')
  dialogNews.splice(0)
  await userEvent.click(tryAgain())
  await expect.poll(() => document.activeElement).toBe(submitButton())
  expect(dialogNews).toEqual([false, true])
  expectReady(ENQUIRY)
  await userEvent.keyboard('{Enter}')
  expect(enquiries.sent).toEqual([ENQUIRY, ENQUIRY])
})

test('an enquiry that is sent ends what is told of an earlier attempt to subscribe', async () => {
  const { subscriptions, enquiries } = await renderApp()
  await userEvent.fill(screen.getByPlaceholderText(TEXT.emailPlaceholder), 'ada@example.com')
  await userEvent.keyboard('{Enter}')
  await subscriptions.answer('failed')
  await openDialog()
  await fillIn(ENQUIRY)
  await userEvent.click(submitButton())
  expect(shownNotifications()).toEqual([])
  const form = within(document.forms.namedItem('subscribe') ?? document.body)
  expect(form.queryByText(NOTIFICATION_TEXT.failed.detail)).toBeNull()
  await enquiries.answer('received')
})

test('after thanks and an enquiry the emptied email field is still not judged', async () => {
  const { subscriptions, enquiries } = await renderApp()
  await userEvent.fill(screen.getByPlaceholderText(TEXT.emailPlaceholder), 'ada@example.com')
  await userEvent.keyboard('{Enter}')
  await subscriptions.answer('subscribed')
  await openDialog()
  await fillIn(ENQUIRY)
  await userEvent.click(submitButton())
  await enquiries.answer('received')
  await closeDialog()
  await userEvent.click(screen.getByRole('button', { name: TEXT.subscribe }))
  expect(shownNotifications()).toEqual([])
})
