import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { appIsThere, browseBuiltSite } from '../support/page/browse-built-site.ts'
import { answerCalls } from '../support/page/page-states.ts'

const site = browseBuiltSite()

const email = (page: Page) => page.getByPlaceholder(TEXT.emailPlaceholder)
async function enterNoAddress(page: Page) {
  await email(page).fill('plain')
  await email(page).press('Enter')
}

test('an Enter that is held down and a double click press once', async () => {
  const page = await site.openPage()
  await page.goto(site.origin)
  await appIsThere(page)
  await answerCalls(page, { success: true, email_exists: false })
  await email(page).fill('ada@example.com')
  await email(page).focus()
  for (const _ of ['first', 'repeated']) await page.keyboard.down('Enter')
  await expect.poll(() => email(page).inputValue()).toBe('')
  // A further press would call the empty field invalid.
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await email(page).fill('ada@example.com')
  await page.getByRole('button', { name: TEXT.subscribe }).click()
  await expect.poll(() => email(page).inputValue()).toBe('')
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  expect(await page.getByText(VALIDATION_TEXT.invalidEmail).count()).toBe(0)
})

test('in the app any other path leads to the empty one with the query alone, and leaves no trace in the history', async () => {
  const page = await site.openPage()
  await page.goto(`${site.origin}/?first`)
  await appIsThere(page)
  await page.evaluate(() => {
    history.pushState(null, '', '/a/%E2%82%AC?mock=slow&x=%2F#part')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await page.waitForURL(`${site.origin}/?mock=slow&x=%2F`)
  expect(await page.getByRole('heading', { name: TEXT.heading }).isVisible()).toBe(true)
  await page.goBack()
  expect(page.url()).toBe(`${site.origin}/?first`)
})

test.each(['at its start', 'while it runs'])(
  'a fault of the app %s shows the heading, what happened and a way on, which works',
  async (when) => {
    const page = await site.openPage()
    if (when === 'at its start')
      await page.route(/assets\/.*\.js/, async (route) => {
        const code = await (await route.fetch()).text()
        const body = code.replace(/(?<=,)contactUs:([`"']).*?\1/, 'get contactUs(){throw Error("fault")}')
        await route.fulfill({ body, contentType: 'text/javascript' })
      })
    await page.goto(site.origin)
    await page.mouse.move(5, 5)
    if (when === 'while it runs') {
      await appIsThere(page)
      // Nothing can show a notification without its place.
      await page.locator('#toast-alert').evaluate((element) => element.removeAttribute('id'))
      await enterNoAddress(page)
    }
    await page.getByRole('alert').filter({ hasText: TEXT.fault }).first().waitFor()
    expect(await page.getByRole('heading', { name: TEXT.heading }).first().isVisible()).toBe(true)
    expect(site.complaints.splice(0)).not.toEqual([])
    await page.unrouteAll()
    await page.getByRole('button', { name: TEXT.reload }).first().click()
    await enterNoAddress(page)
    await page.getByText(NOTIFICATION_TEXT.invalidEmail.summary, { exact: true }).waitFor()
  },
)
