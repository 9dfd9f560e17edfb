import { act, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
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
  subscribeForm,
  subscribeWith,
  typedText,
} from '../support/page/parts.ts'
import { renderApp } from '../support/page/render-app.tsx'

const EMPTY = mapFields(() => '')

const outcome = () => submitButton().parentElement?.querySelector('[aria-live]') as HTMLElement
const tryAgain = () => screen.getByRole('button', { name: TEXT.tryAgain })
const spinner = () => outcome().querySelector<HTMLElement>('.chakra-spinner')

/** The form with an enquiry that the backend has not answered yet. */
async function renderSent(viewport: Parameters<typeof page.viewport> = [1280, 800]) {
  const app = await renderApp()
  await page.viewport(...viewport)
  const dialog = await openDialog()
  await fillIn()
  const parts = [within(dialog).getByRole('heading'), closeIcon(), submitButton(), ...document.forms]
  const atRest = places(parts)
  const heard = listen()
  submitButton().focus()
  await userEvent.keyboard('{Enter}')
  return { ...app, heard, parts, atRest }
}

/** The form as a new opening shows it, with this text. */
function expectReady(text: TypedEnquiry) {
  expect(typedText()).toEqual(text)
  expect(submitButton()).toHaveAttribute('aria-disabled', 'false')
  expect(spinner()).toBeNull()
  expect(outcome().innerText).toBe('')
  for (const name of ENQUIRY_FIELDS) expect(field(name).readOnly).toBe(false)
}

describe('while an enquiry is sent', () => {
  test('a spinner of 50 px turns, and Submit keeps the focus', async () => {
    await renderSent()
    expect([spinner()?.offsetWidth, spinner()?.offsetHeight]).toEqual([50, 50])
    expect(submitButton()).toHaveFocus()
  })

  test('its text stays to be read, and neither Enter nor a click sends it again', async () => {
    const { enquiries } = await renderSent()
    await userEvent.keyboard('{Enter}')
    await userEvent.click(submitButton(), { force: true })
    await userEvent.click(field('first'))
    await userEvent.keyboard('x{Enter}')
    expect(typedText()).toEqual(anEnquiry())
    expect(enquiries.sent).toEqual([anEnquiry()])
  })

  test('Submit is disabled, and no field can be edited', async () => {
    await renderSent()
    expect(submitButton()).toHaveAttribute('aria-disabled', 'true')
    for (const name of ENQUIRY_FIELDS) expect(field(name).readOnly).toBe(true)
  })

  test('a wait of a second is announced', async () => {
    const { pass, heard } = await renderSent()
    pass(1000)
    expect(heard()).toEqual([TEXT.sending])
  })

  test('a dialog that is opened again still shows it, with the focus at Submit', async () => {
    await renderSent()
    await closeDialog()
    await openDialog()
    expect(spinner()).toBeVisible()
    expect(submitButton()).toHaveFocus()
  })

  test('nothing moves on a phone', async () => {
    const { parts, atRest } = await renderSent([390, 700])
    expect(places(parts)).toEqual(atRest)
  })
})

test.each<[EnquiryAnswer, hue: 'red' | 'green', string]>([
  ['received', 'green', ENQUIRY_TEXT.received],
  ['failed', 'red', ENQUIRY_TEXT.failed],
])('the answer %s is told in %s, by the form alone', async (answer, hue, text) => {
  const { enquiries, heard } = await renderSent()
  await enquiries.answer(answer)
  expect(heard()).toEqual([text])
  const [red = 0, green = 0] = (getComputedStyle(within(outcome()).getByText(text)).color.match(/\d+/g) ?? []).map(
    Number,
  )
  expect(red > green ? 'red' : 'green').toBe(hue)
  expect(shownNotifications()).toEqual([])
})

test('what was sent stays to be read until the dialog is closed', async () => {
  const { enquiries } = await renderSent()
  await enquiries.answer('received')
  expect(typedText()).toEqual(anEnquiry())
  expect(submitButton()).toHaveAttribute('aria-disabled', 'true')
})

test.each<[EnquiryAnswer, string, TypedEnquiry]>([
  ['received', 'is empty', EMPTY],
  ['failed', 'keeps its text', anEnquiry()],
])('after the answer %s the next form %s', async (answer, _, text) => {
  const { enquiries, contactDialog } = await renderSent()
  await enquiries.answer(answer)
  // Before it has quite closed.
  for (const open of [false, true]) await act(async () => contactDialog.set(open))
  expectReady(text)
})

test('the text of a failure moves nothing on a phone', async () => {
  const { enquiries, parts, atRest } = await renderSent([390, 700])
  await enquiries.answer('failed')
  expect(places(parts)).toEqual(atRest)
})

test('on a low screen the outcome is scrolled into view under the title', async () => {
  const { enquiries, parts } = await renderSent([740, 360])
  await enquiries.answer('failed')
  const [title, close] = parts
  for (const { top, height } of places([title, close, tryAgain()].filter((part) => part !== undefined))) {
    expect(top).toBeGreaterThanOrEqual(0)
    expect(top + height).toBeLessThanOrEqual(360)
  }
})

test.each<[EnquiryAnswer, string]>([
  ['received', ENQUIRY_TEXT.received],
  ['failed', ENQUIRY_TEXT.notSent],
])('the answer %s to a closed dialog is told by a notification', async (answer, text) => {
  const { enquiries } = await renderSent()
  await closeDialog()
  await enquiries.answer(answer)
  expect(shownNotification().textContent).toContain(text)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('Try again opens the dialog anew, with its text and the focus at Submit', async () => {
  const { enquiries, dialogNews } = await renderSent()
  await enquiries.answer('failed')
  dialogNews.splice(0)
  await userEvent.click(tryAgain())
  await expect.poll(() => document.activeElement).toBe(submitButton())
  expect(dialogNews).toEqual([false, true])
  expectReady(anEnquiry())
})

test('an enquiry that is sent ends what is told of an attempt to subscribe', async () => {
  const { subscriptions } = await renderApp()
  await subscribeWith()
  await subscriptions.answer('failed')
  await openDialog()
  await fillIn()
  await userEvent.click(submitButton())
  expect(shownNotifications()).toEqual([])
  expect(subscribeForm().queryByText(NOTIFICATION_TEXT.failed.detail)).toBeNull()
})
