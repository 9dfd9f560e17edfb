import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite, startApp } from '../support/page/browse-built-site.ts'

// The policy of the page refuses rewritten scripts.
const site = browseBuiltSite({ expected: /Content Security Policy|at fault/ })

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
  const page = await site.openPage()
  await spoil(page)
  await page.goto(site.origin)
  await page.getByText(TEXT.needsScripts).waitFor()
  expect(await page.getByRole('button').or(page.getByRole('textbox')).count()).toBe(0)
})

/** To run in the page: from now on React can add no icon, and our code can't count the characters of a message. */
function breakApp() {
  document.createElementNS = Math.max = () => {
    throw Error('at fault')
  }
}

test.each<[name: string, reachFault: (page: Page) => Promise<unknown>]>([
  ['at the start of the app', (page) => page.evaluate(breakApp).then(() => page.keyboard.press('Shift'))],
  [
    'of the running app',
    async (page) => {
      await startApp(page)
      await page.evaluate(breakApp)
      await page.getByPlaceholder(TEXT.emailPlaceholder).press('Enter')
    },
  ],
])('a fault %s leaves the heading and a button to reload', async (_, reachFault) => {
  const page = await site.openPage()
  await page.goto(site.origin)
  await reachFault(page)
  await page.getByRole('alert').filter({ hasText: TEXT.fault }).first().waitFor()
  expect(await page.getByRole('heading', { name: TEXT.heading }).first().isVisible()).toBe(true)
  await page.getByRole('button', { name: TEXT.reload }).first().click()
  await startApp(page)
})
