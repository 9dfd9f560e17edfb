import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, expect, test } from 'vitest'
import { COLOURS } from '../../src/ui/theme/brand.ts'
import { appIsThere, browseBuiltSite } from '../support/page/browse-built-site.ts'
import { buildVariant } from '../support/page/build-variant.ts'
import { cut } from '../support/page/cut.ts'
import { settle } from '../support/page/page-states.ts'
import { PROVIDER, VARIANT } from '../support/page/variant-edits.ts'

const { dist, remove } = buildVariant(VARIANT)
afterAll(remove)

type Texts = typeof import('../../src/domain/texts.ts')
const { ENQUIRY_TEXT, TEXT, TITLE, VALIDATION_TEXT }: Texts = await import(join(dist, '../src/domain/texts.ts'))

const site = browseBuiltSite(dist)

/** Every text of the page that is seen or heard. */
const texts = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')].flatMap((element) => [
      ...[...element.childNodes].map((node) =>
        node instanceof Text && !element.matches('script, style') ? node.data : '',
      ),
      ...['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''),
    ]),
  )

async function expectTranslatedWhole(page: Page) {
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await settle(page)
    expect(await cut(page), `${width} px wide`).toEqual([])
  }
  const words = (await texts(page)).map((text) => text.replaceAll(PROVIDER, ''))
  expect(words.filter((text) => /\p{Script=Latin}/u.test(text))).toEqual([])
}

test('another language has its direction, no English word, and room for long texts', async () => {
  const page = await site.openPage()
  await page.goto(site.origin)
  expect(await page.locator('html').evaluate(({ lang, dir }: HTMLElement) => [lang, dir])).toEqual(['ar', 'rtl'])
  expect(await page.title()).toBe(TITLE)
  await expectTranslatedWhole(page)
  await page.getByRole('button', { name: TEXT.subscribe }).click()
  await page.getByText(VALIDATION_TEXT.invalidEmail, { exact: true }).waitFor()
  await expectTranslatedWhole(page)
  await page.getByRole('button', { name: TEXT.contactUs }).click()
  await page.getByRole('button', { name: TEXT.submit }).click()
  await page.getByText(VALIDATION_TEXT.noFirst).first().waitFor()
  await expectTranslatedWhole(page)
})

test('another brand has its name and its colours everywhere', async () => {
  const page = await site.openPage()
  await page.goto(site.origin)
  expect(await page.getByText(PROVIDER, { exact: true }).isVisible()).toBe(true)
  const old = Object.values(COLOURS).flatMap((group) => Object.values<readonly string[]>(group).flat())
  const html = readFileSync(join(dist, 'index.html'), 'utf8')
  const isGrey = (color: string) => /^#(..)\1\1$/.test(color)
  expect(old.filter((color) => !isGrey(color) && html.includes(color))).toEqual([])
})

test('a second page is prerendered at its address, and links lead from page to page', async () => {
  const page = await site.openPage()
  await page.goto(`${site.origin}/privacy`)
  expect(await (await fetch(`${site.origin}/privacy`)).text()).toContain('>الخصوصية</h1>')
  await page.getByRole('link').click()
  await page.getByRole('heading', { name: TEXT.heading }).waitFor()
  expect([page.url(), await page.title()]).toEqual([`${site.origin}/`, TITLE])
  await page.goBack()
  await page.getByRole('heading', { name: 'الخصوصية' }).waitFor()
  await page.goto(`${site.origin}/privacy/more`)
  expect(page.url()).toBe(`${site.origin}/`)
})

test('a Checkbox that is pressed before the app is there is ticked once it is, and sent', async () => {
  const page = await site.openPage()
  const held = Promise.withResolvers<void>()
  await page.route('**/assets/*.js*', (route) => held.promise.then(() => route.continue()))
  await page.route('**/api/**', (route) => route.fulfill({ json: { success: true } }))
  await page.goto(site.origin)
  await page.getByRole('button', { name: TEXT.contactUs }).click()
  const dialog = page.getByRole('dialog')
  const box = dialog.getByRole('checkbox')
  for (const field of [TEXT.first, TEXT.last, TEXT.message]) await dialog.getByPlaceholder(field).fill('text')
  await dialog.getByPlaceholder(TEXT.email).fill('ada@example.com')
  await box.evaluate((input: HTMLInputElement) => input.click())
  expect([await box.isChecked(), await box.getAttribute('aria-busy')]).toEqual([false, 'true'])
  held.resolve()
  await appIsThere(page)
  await expect.poll(() => box.isChecked()).toBe(true)
  expect(await dialog.locator('[data-part=control]').getAttribute('data-state')).toBe('checked')
  await dialog.getByRole('button', { name: TEXT.submit }).click()
  await dialog.getByText(ENQUIRY_TEXT.received).waitFor()
})
