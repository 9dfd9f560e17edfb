import { beforeAll, beforeEach, expect, test } from 'vitest'
import { PROVIDER } from '../../src/domain/provider.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { buildPage } from '../support/page/build-the-page.ts'
import { findFlaws } from '../support/page/find-flaws.ts'
import { CARD_TITLE, DESCRIPTION, LINKS, TEXT, TITLE, VALIDATION_TEXT } from '../support/page/variant/texts.ts'
import type { Visit } from '../support/page/visit.ts'

const dist = 'node_modules/.cache/variant'
const SETTINGS = { PUBLIC_ORIGIN: 'https://example.com', CONNECT_ORIGINS: 'https://api.example.com' }
beforeAll(() => buildPage(dist, 'tests/support/page/variant/vite.config.ts', SETTINGS))
const site = browseBuiltSite({ dist })
let visit: Visit

beforeEach(async () => {
  visit = await site.visit()
})

const form = () => visit.page.locator('form[name=subscribe]')
const email = () => form().getByPlaceholder(TEXT.emailPlaceholder)
const openDialog = () => visit.page.locator('header').getByRole('button', { name: TEXT.contactUs }).press('Enter')

/** Shows an error of each form. */
async function showErrors() {
  await email().press('Enter')
  await form().getByText(VALIDATION_TEXT.noEmail).waitFor()
  await openDialog()
  await visit.page.locator('dialog').getByRole('button', { name: TEXT.submit }).press('Enter')
  await visit.page.locator('dialog [aria-invalid=true]').first().waitFor()
}

test('in another language no text is left in the original language', async () => {
  await showErrors()
  const texts = await visit.page.evaluate(() => {
    const labelled = [...document.querySelectorAll('[placeholder], [aria-label]')]
    const labels = labelled.map((element) => element.getAttribute('placeholder') ?? element.ariaLabel)
    return [document.body.textContent, ...labels].join('\n')
  })
  const left = texts.replaceAll(PROVIDER, '').match(/\p{Script=Latin}+/gu)
  expect(left, 'move to texts.ts; name a new export in variant/texts.ts').toBeNull()
})

test('texts of double length are neither cut nor covered on a small phone', async () => {
  await showErrors()
  await visit.page.setViewportSize({ width: 320, height: 568 })
  const flaws = await visit.page.evaluate(findFlaws)
  // No word of a language is as long as two.
  expect(flaws.filter((flaw) => !flaw.includes(' is broken'))).toEqual([])
})

test('from right to left an empty field begins right, and a notification stands left', async () => {
  await email().press('Enter')
  expect(await email().evaluate((it) => getComputedStyle(it).direction)).toBe('rtl')
  expect((await visit.notification.boundingBox())?.x).toBeCloseTo(20, 0)
})

test.each([
  ['main', LINKS.filter(({ href }) => href.startsWith('mailto:'))],
  ['footer', LINKS],
  ['dialog form', LINKS],
])('links of %s open in a new tab', async (place, links) => {
  const found = visit.page
    .locator(`${place} a[target]`)
    .evaluateAll((all) =>
      all.map((it) => ({ text: it.textContent, href: it.getAttribute('href'), target: it.getAttribute('target') })),
    )
  expect(await found).toEqual(links.map((link) => ({ ...link, target: '_blank' })))
})

test('a page in public/ has its own styles and scripts', async () => {
  const page = await visit.page.context().newPage()
  await page.goto(`${site.origin}/imprint.html`)
  expect(await page.title()).toBe('Imprint by its own script')
  const { color, margin } = await page.locator('p').evaluate((element) => getComputedStyle(element))
  expect([color, margin]).toEqual(['rgb(1, 2, 3)', '4px'])
})

test('the head of the page has its texts and PUBLIC_ORIGIN', async () => {
  const names = ['name=description', 'property="og:title"', 'property="og:url"', 'property="og:image"']
  const contents = names.map((name) => visit.page.locator(`meta[${name}]`).getAttribute('content'))
  expect(await visit.page.title()).toBe(TITLE)
  const origin = SETTINGS.PUBLIC_ORIGIN
  expect(await Promise.all(contents)).toEqual([DESCRIPTION, CARD_TITLE, `${origin}/`, `${origin}/card.jpg`])
})

test('the policy of the page allows calls to CONNECT_ORIGINS', async () => {
  const policy = (await fetch(site.origin)).headers.get('content-security-policy')
  expect(policy).toContain(`connect-src 'self' ${SETTINGS.CONNECT_ORIGINS};`)
})
