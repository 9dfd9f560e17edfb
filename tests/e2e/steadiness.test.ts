import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { covered } from '../support/page/covered.ts'
import { animationsFinished, STATES, settle, toastOf } from '../support/page/page-states.ts'
import { boxOf } from '../support/page/pixels.ts'

const site = browseBuiltSite()
let page: Page

async function open([width, height]: readonly [number, number]) {
  page = await site.openPage({ viewport: { width, height } })
  await page.goto(site.origin)
}

const dialog = () => page.getByRole('dialog')
const field = (placeholder: string) => dialog().getByPlaceholder(placeholder)
const submit = () => dialog().getByRole('button', { name: TEXT.submit })

/** Where the dialog and all in it stand. */
const standing = async () => {
  await page.evaluate(animationsFinished)
  return Promise.all(['dialog', 'dialog h2', 'dialog button[type=submit]'].map((part) => boxOf(page.locator(part))))
}

test.each([[[320, 568]], [[740, 360]]] as const)(
  'at %j px the dialog stands still for a problem and a notification, and brings the outcome onto the screen',
  async (screen) => {
    await open(screen)
    const { promise: covered, resolve: fail } = Promise.withResolvers<void>()
    await page.route('**/api/subscribe', (route) => covered.then(() => route.abort()))
    await page.getByPlaceholder(TEXT.emailPlaceholder).fill('ada@example.com')
    await page.getByRole('button', { name: TEXT.subscribe }).click()
    await page.getByRole('button', { name: TEXT.contactUs }).click()
    await field(TEXT.first).fill(' ')
    await field(TEXT.first).focus()
    const atFirst = await standing()
    await page.keyboard.press('Enter')
    await page.getByText(VALIDATION_TEXT.noFirst).first().waitFor()
    expect(await standing()).toEqual(atFirst)

    await submit().focus()
    const atLast = await standing()
    fail()
    await toastOf(page).waitFor()
    expect(await standing()).toEqual(atLast)
    await toastOf(page).getByRole('button').click()
    await toastOf(page).waitFor({ state: 'detached' })
    expect(await standing()).toEqual(atLast)

    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'hidden' })
    await STATES['a failed call, told over the dialog'](page)
    const opened = await standing()
    await toastOf(page).getByRole('button').click()
    await toastOf(page).waitFor({ state: 'detached' })
    expect(await standing(), 'opened under a notification').toEqual(opened)

    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'hidden' })
    await STATES['an enquiry declined'](page)
    const { y, height } = await boxOf(dialog().locator('button[type=submit] + [aria-live]'))
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y + height).toBeLessThanOrEqual(screen[1])
  },
)

test('on a phone the longest error moves nothing', async () => {
  await open([360, 740])
  await STATES['the dialog, empty'](page)
  for (const name of [TEXT.first, TEXT.last, TEXT.email]) await field(name).fill('x')
  const before = await standing()
  await page.keyboard.press('Enter')
  await dialog().getByText(VALIDATION_TEXT.invalidEmail).first().waitFor()
  expect(await standing()).toEqual(before)
})

test.each([[[390, 700]], [[390, 844]], [[1366, 657]]] as const)(
  'at %j px the dialog stands the same with a notification, after it, and without one',
  async (screen) => {
    await open(screen)
    await STATES['the dialog, empty'](page)
    const alone = await standing()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'hidden' })
    await STATES['a failed call, told over the dialog'](page)
    expect(await standing()).toEqual(alone)
    await toastOf(page).getByRole('button').click()
    await toastOf(page).waitFor({ state: 'detached' })
    expect(await standing()).toEqual(alone)
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'hidden' })
    await STATES['the dialog, empty'](page)
    expect(await standing()).toEqual(alone)
  },
)

/** What has the focus, and whether it is on the screen and not wholly under something else. */
const focused = () =>
  page.evaluate(() => {
    const at = document.activeElement
    const { x = 0, y = 0, width = 0, height = 0 } = at?.getBoundingClientRect() ?? {}
    const parts = [0.1, 0.3, 0.5, 0.7, 0.9]
    const points = parts.flatMap((right) => parts.map((down) => [x + width * right, y + height * down] as const))
    const seen = points.some((point) => at?.contains(document.elementFromPoint(...point)))
    return { name: at?.getAttribute('placeholder') ?? at?.ariaLabel ?? at?.textContent, seen }
  })

test.each([[[320, 256]], [[320, 568]], [[844, 390]]] as const)(
  'at %j px nothing stays hidden behind a notification, and no focus is, on the page and in the dialog',
  async (screen) => {
    await open(screen)
    await STATES['an invalid email'](page)
    await settle(page)
    await page.getByPlaceholder(TEXT.emailPlaceholder).focus()
    const stops = [await focused()]
    for (const key of ['Tab', 'Tab', 'Shift+Tab', 'Shift+Tab']) {
      await page.keyboard.press(key)
      stops.push(await focused())
    }
    const [first, ...others] = [TEXT.emailPlaceholder, TEXT.subscribe, TEXT.contactUs]
    const names = [first, ...others, others[0], first]
    expect(stops).toEqual(names.map((name) => ({ name, seen: true })))

    expect(await covered(page)).toEqual([])

    await STATES['a failed call'](page)
    await page.getByRole('button', { name: TEXT.contactUs }).press('Enter')
    await expect.poll(async () => (await focused()).name).toBe(TEXT.first)
    await page.evaluate(animationsFinished)
    const order = [TEXT.first, TEXT.last, TEXT.email, TEXT.message, TEXT.submit, TEXT.close, TEXT.close, TEXT.first]
    for (const name of order) {
      expect(await focused()).toEqual({ name, seen: true })
      await page.keyboard.press('Tab')
    }
    expect(await covered(page)).toEqual([])
  },
)
