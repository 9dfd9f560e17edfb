import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite, startApp } from '../support/page/browse-built-site.ts'
import { fillIn } from '../support/page/page-states.ts'

const site = browseBuiltSite()

// Reasons why the boot script does not run, or stops early.
test.each<[name: string, spoil: (page: Page) => Promise<unknown>]>([
  [
    'the browser is too old',
    (page) => page.addInitScript(() => Reflect.deleteProperty(HTMLDialogElement.prototype, 'showModal')),
  ],
  [
    'a proxy rewrites the scripts',
    (page) =>
      page.route(site.origin, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, body: (await response.text()).replace('<script>', '<script>;') })
      }),
  ],
])('if %s, one sentence replaces the forms', async (_, spoil) => {
  // The policy of the page refuses rewritten scripts.
  site.expectComplaint(/Content Security Policy/)
  const page = await site.openPage()
  await spoil(page)
  await page.goto(site.origin)
  await page.getByText(TEXT.needsScripts).waitFor()
  expect(await page.getByRole('button').count()).toBe(0)
  expect(await page.getByRole('textbox').count()).toBe(0)
})

test.each<[name: string, text: string, reachFault: (page: Page) => Promise<unknown>]>([
  ['at the start of the app', 'contactUs', (page) => page.keyboard.press('Shift')],
  ['of the running app', 'charactersLeft', (page) => startApp(page).then(() => fillIn(page, { message: TOO_LONG }))],
])('a fault %s leaves the heading and a button to reload', async (_, text, reachFault) => {
  site.expectComplaint(/at fault/)
  const page = await site.openPage()
  // A text of the app can't be rendered any more.
  await page.route(/assets\/.*\.js/, async (route) => {
    const code = await (await route.fetch()).text()
    const broken = code.replace(new RegExp(`(?<=,)${text}:`), `get ${text}(){throw Error("at fault")},unused:`)
    await route.fulfill({ body: broken, contentType: 'text/javascript' })
  })
  await page.goto(site.origin)
  await reachFault(page)
  await page.getByRole('alert').filter({ hasText: TEXT.fault }).first().waitFor()
  expect(await page.getByRole('heading', { name: TEXT.heading }).first().isVisible()).toBe(true)
  await page.unrouteAll()
  await page.getByRole('button', { name: TEXT.reload }).first().click()
  await startApp(page)
})

const TOO_LONG = 'x'.repeat(5000)
