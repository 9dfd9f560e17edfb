import type { Page } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import { PROVIDER } from '../../src/domain/provider.ts'
import { browseBuiltSite, startApp } from '../support/page/browse-built-site.ts'
import { buildPage } from '../support/page/build-the-page.ts'
import { findCovered, findCut } from '../support/page/find.ts'
import { SMALL } from '../support/page/screens.ts'
import { AGREE, SHOWN, STOCK } from '../support/page/variant/links.tsx'
import { CARD_TITLE, DESCRIPTION, LINKS, TEXT, TITLE } from '../support/page/variant/texts.ts'

const dist = 'node_modules/.cache/variant'
const SETTINGS = { PUBLIC_ORIGIN: 'https://example.com', CONNECT_ORIGINS: 'https://api.example.com' }
beforeAll(() => buildPage(dist, 'tests/support/page/variant/vite.config.ts', SETTINGS))
const site = browseBuiltSite({ dist })

describe('in a language that runs from right to left', () => {
  let page: Page
  /** A page with a notification, and the dialog over it with an error. */
  beforeAll(async () => {
    page = await site.openPage()
    await page.goto(site.origin)
    await page.getByPlaceholder(TEXT.emailPlaceholder).press('Enter')
    // The pointer keeps the notification on the page.
    await page.locator('[data-severity]').hover()
    await page.getByRole('button', { name: TEXT.contactUs }).press('Enter')
    await page.getByRole('button', { name: TEXT.submit }).press('Enter')
    await page.locator('dialog [aria-invalid=true]').waitFor()
  })

  test('no text is left in the original language', async () => {
    const texts = await page.evaluate(() => {
      const labelled = [...document.querySelectorAll('[placeholder], [aria-label]')]
      const labels = labelled.map((element) => element.getAttribute('placeholder') ?? element.ariaLabel)
      return [document.body.textContent, ...labels].join('\n')
    })
    expect(texts.replaceAll(PROVIDER, '').match(/\p{Script=Latin}+/gu)).toBeNull()
  })

  test('texts of double length are neither cut nor covered on a small phone', async () => {
    await page.setViewportSize(SMALL)
    expect([...(await page.evaluate(findCut)), ...(await page.evaluate(findCovered))]).toEqual([])
  })

  test('an empty field has the direction of the page', async () => {
    const field = page.getByPlaceholder(TEXT.emailPlaceholder)
    expect(await field.evaluate((it) => getComputedStyle(it).direction)).toBe('rtl')
  })
})

test('in a language that runs from right to left a notification is at the left', async () => {
  const page = await site.openPage()
  await page.goto(site.origin)
  await page.getByPlaceholder(TEXT.emailPlaceholder).press('Enter')
  expect((await page.locator('[data-severity]').boundingBox())?.x).toBeCloseTo(20, 0)
})

test('links open in a new window, without any script; contact links stand first', async () => {
  const page = await site.openPage({ javaScriptEnabled: false })
  await page.goto(site.origin)
  const contact = LINKS.filter(({ href }) => href.startsWith('mailto:'))
  for (const [place, expected] of [
    ['main', [...contact, ...LINKS]],
    ['dialog form', LINKS],
  ] as const) {
    const links = await page.locator(`${place} a`).all()
    const targets = links.map(async (link) => ({
      text: await link.textContent(),
      href: await link.getAttribute('href'),
    }))
    expect(await Promise.all(targets)).toEqual(expected)
  }
  await Promise.all([page.waitForEvent('popup'), page.getByRole('main').locator('[href="/imprint.html"]').click()])
})

test('a page in public/ has its own styles and scripts', async () => {
  const page = await site.openPage()
  await page.goto(`${site.origin}/imprint.html`)
  expect(await page.title()).toBe('Imprint by its own script')
  const { color, margin } = await page.locator('p').evaluate((element) => getComputedStyle(element))
  expect([color, margin]).toEqual(['rgb(1, 2, 3)', '4px'])
})

test('the head of the page has its texts and PUBLIC_ORIGIN', async () => {
  const page = await site.openPage()
  await page.goto(site.origin)
  const names = ['name=description', 'property="og:title"', 'property="og:url"', 'property="og:image"']
  const contents = names.map((name) => page.locator(`meta[${name}]`).getAttribute('content'))
  expect(await page.title()).toBe(TITLE)
  const origin = SETTINGS.PUBLIC_ORIGIN
  expect(await Promise.all(contents)).toEqual([DESCRIPTION, CARD_TITLE, `${origin}/`, `${origin}/card.jpg`])
})

test('the policy of the page allows calls to CONNECT_ORIGINS', async () => {
  const answer = await (await site.openPage()).goto(site.origin)
  const policy = await answer?.headerValue('content-security-policy')
  expect(policy).toContain(`connect-src 'self' ${SETTINGS.CONNECT_ORIGINS};`)
})

describe.each(['main', 'dialog form'])('a component of Chakra in the %s', (place) => {
  let page: Page
  beforeAll(async () => {
    page = await site.openPage()
    await page.goto(site.origin)
    await startApp(page)
    if (place !== 'main') await page.getByRole('button', { name: TEXT.contactUs }).click()
  })

  test.each([
    ['combobox', STOCK.select],
    ['combobox', STOCK.combobox],
    ['button', STOCK.menu],
    ['button', STOCK.popover],
    ['button', STOCK.tooltip],
  ] as const)('shows on top what is in its portal, until Escape: the %s %s', async (role, name) => {
    const shown = page.getByText(SHOWN, { exact: true }).filter({ visible: true })
    const component = page.locator(place).getByRole(role, { name })
    if (name === STOCK.tooltip) await component.hover()
    else await component.click()
    // Fails if something lies over it, or if it can't be pressed.
    await shown.click({ trial: true })
    await page.keyboard.press('Escape')
    await shown.waitFor({ state: 'hidden' })
    expect(await page.getByRole('dialog', { name: TEXT.contactUs }).count()).toBe(place === 'main' ? 0 : 1)
  })

  test('looks like a field of ours', async () => {
    const looks = await page.locator(place).evaluate((it) =>
      [...it.querySelectorAll('input:not([name], [type=checkbox]), select, [role=combobox]')].map((field) => {
        const { background, border, borderRadius, fontSize, minHeight } = getComputedStyle(field)
        return [background, border, borderRadius, fontSize, minHeight].join()
      }),
    )
    expect(looks).toEqual(looks.map(() => looks[0]))
  })
})

test('a checkbox of Chakra that is pressed before the app runs is ticked once it runs', async () => {
  const { page, script } = await site.visit({ holdApp: true })
  await page.getByRole('main').getByText(AGREE).filter({ visible: true }).click()
  await (await script()).continue()
  await page.locator('main [data-part=control][data-state=checked]').waitFor()
})
