import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { animationsFinished, answerCalls, keep, STATES, toastOf } from '../../scripts/page-states.ts'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'

const site = browseBuiltSite()
let page: Page

async function open(width = 1280, height = 800) {
  page = await site.openPage({ viewport: { width, height } })
  await page.goto(site.origin)
}

/** What has the focus, by its placeholder or its name. */
const focused = () =>
  page.evaluate(() => {
    const at = document.activeElement
    return at?.getAttribute('placeholder') ?? at?.getAttribute('aria-label') ?? at?.textContent ?? ''
  })

async function tabs(count: number, key = 'Tab'): Promise<string[]> {
  const stops: string[] = []
  for (let i = 0; i < count; i++) {
    await page.keyboard.press(key)
    stops.push(await focused())
  }
  return stops
}

/** Whether what has the focus is on the screen, and not wholly under something else. */
const focusIsSeen = () =>
  page.evaluate(() => {
    const at = document.activeElement
    const { x = 0, y = 0, width = 0, height = 0 } = at?.getBoundingClientRect() ?? {}
    const parts = [0.1, 0.3, 0.5, 0.7, 0.9]
    return parts.some((right) =>
      parts.some((down) => {
        const top = document.elementFromPoint(x + width * right, y + height * down)
        return at !== null && top !== null && at.contains(top)
      }),
    )
  })

const FIELDS = [TEXT.first, TEXT.last, TEXT.email, TEXT.message, TEXT.submit, TEXT.close]

describe('the keyboard alone', () => {
  test('goes through the page in the order of reading', async () => {
    await open()
    expect(await tabs(3)).toEqual([TEXT.emailPlaceholder, TEXT.subscribe, TEXT.contactUs])
  })

  test('corrects an address and sends it', async () => {
    await open()
    await answerCalls(page, { success: true, email_exists: true })
    await page.keyboard.press('Tab')
    await page.keyboard.type('ada@example')
    await page.keyboard.press('Enter')
    await page.getByText(NOTIFICATION_TEXT.invalidEmail.summary, { exact: true }).waitFor()
    expect(await focused()).toBe(TEXT.emailPlaceholder)
    await page.keyboard.type('.com')
    expect(await page.getByPlaceholder(TEXT.emailPlaceholder).getAttribute('aria-invalid')).toBe('false')
    await page.keyboard.press('Enter')
    await page.getByText(NOTIFICATION_TEXT.alreadySubscribed.summary, { exact: true }).waitFor()
    expect(await tabs(3)).toEqual([TEXT.subscribe, TEXT.contactUs, TEXT.close])
    await page.keyboard.press('Enter')
    expect(await toastOf(page).count()).toBe(0)
    expect(await focused()).toBe(TEXT.emailPlaceholder)
  })

  test('writes an enquiry, stays in the dialog, and comes back to where it began', async () => {
    await open()
    await answerCalls(page, { success: true })
    await tabs(3)
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe(TEXT.first)
    expect(await tabs(6)).toEqual([...FIELDS.slice(1), TEXT.first])
    expect(await tabs(2, 'Shift+Tab')).toEqual([TEXT.close, TEXT.submit])
    await page.keyboard.press('Enter')
    await page.getByText(VALIDATION_TEXT.noFirst).waitFor()
    expect(await focused()).toBe(TEXT.first)
    for (const text of ['Ada', 'Lovelace', 'ada@example.com', 'When do you start?']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await page.getByText(ENQUIRY_TEXT.received).waitFor()
    expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await focused()).toBe(TEXT.contactUs)
  })
})

test.each(['an invalid email', 'a known address', 'a failed call'] as const)(
  'no focus is hidden behind the notification of %s, on any screen',
  async (name) => {
    await open(320, 256)
    await STATES[name](page)
    const [first, ...others] = [TEXT.emailPlaceholder, TEXT.subscribe, TEXT.contactUs]
    for (const [width, height] of [
      [320, 256],
      [320, 568],
      [844, 390],
    ] as const) {
      await page.setViewportSize({ width, height })
      await keep(page)
      await page.getByPlaceholder(first ?? '').focus()
      const seen: Record<string, boolean> = { [await focused()]: await focusIsSeen() }
      for (const key of [...others.map(() => 'Tab'), ...others.map(() => 'Shift+Tab')])
        for (const stop of await tabs(1, key)) seen[`${key} to ${stop}`] = await focusIsSeen()
      expect(seen, `at ${width} by ${height} px`).toEqual(
        Object.fromEntries(Object.keys(seen).map((stop) => [stop, true])),
      )
    }
  },
)

test.each([
  [320, 256],
  [320, 568],
  [844, 390],
])('at %i by %i px no focus in the dialog is hidden behind a notification', async (width, height) => {
  await open(width, height)
  await STATES['a failed call'](page)
  await page.getByRole('button', { name: TEXT.contactUs }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe(TEXT.first)
  await page.evaluate(animationsFinished)
  const seen: Record<string, boolean> = { [TEXT.first]: await focusIsSeen() }
  for (let i = 0; i < FIELDS.length; i++) for (const stop of await tabs(1)) seen[stop] = await focusIsSeen()
  expect(seen).toEqual(Object.fromEntries(FIELDS.map((stop) => [stop, true])))
})
