import { expect, test } from 'vitest'
import { TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite, startApp } from '../support/page/browse-built-site.ts'

const site = browseBuiltSite()

test('if the browser is too old, one sentence replaces the forms', async () => {
  const page = await site.openPage()
  await page.addInitScript(() => Reflect.deleteProperty(HTMLDialogElement.prototype, 'showModal'))
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

test('a fault of the running app leaves the heading and a button to reload', async () => {
  const page = await site.openPage()
  await page.goto(site.origin)
  await startApp(page)
  await page.evaluate(breakApp)
  await page.getByPlaceholder(TEXT.emailPlaceholder).press('Enter')
  await page.getByRole('alert').filter({ hasText: TEXT.fault }).first().waitFor()
  expect(await page.getByRole('heading', { name: TEXT.heading }).first().isVisible()).toBe(true)
  await page.getByRole('button', { name: TEXT.reload }).first().click()
  await startApp(page)
})
