import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { PROVIDER as OWN_PROVIDER } from '../../src/domain/provider.ts'
import * as OWN from '../../src/domain/texts.ts'
import { appIsThere, browseBuiltSite } from '../support/page/browse-built-site.ts'
import { findCovered, findCut } from '../support/page/find.ts'
import { buildVariant, LINKS, longer, otherColour } from '../support/page/variant.ts'

const PROVIDER = '"Plum" & <Sons>'
const TEXTS = longer(OWN)
const ofProvider = (text: string) => longer(text.replace(OWN_PROVIDER, PROVIDER))
const TITLE = ofProvider(OWN.TITLE)

const dist = buildVariant(PROVIDER, {
  PUBLIC_ORIGIN: 'https://example.com',
  CONNECT_ORIGINS: 'https://api.example.com',
})
const site = browseBuiltSite({ dist, texts: TEXTS })

const content = (page: Page, name: string) => page.locator(`meta[${name}]`).getAttribute('content')

/** Those that have the most text. */
const FULL = [
  'an invalid email',
  'a failed call, told over the dialog',
  'no first name',
  'submitting',
  'an enquiry declined',
] as const

test('texts twice as long, in place of ours, are uncut and uncovered', async () => {
  for (const name of FULL) {
    const page = await site.show(name, { viewport: { width: 320, height: 600 } })
    const found = await page.evaluate(() => {
      const attributesOf = (name: string) =>
        [...document.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name))
      return [document.body.textContent, ...attributesOf('placeholder'), ...attributesOf('aria-label')].join('\n')
    })
    expect(found.replaceAll(PROVIDER, '').match(/\p{Script=Latin}+/gu), name).toBeNull()
    expect([...(await page.evaluate(findCut)), ...(await page.evaluate(findCovered))], name).toEqual([])
  }
})

test('language, name and colours are those of the brand, on the page and in every file', async () => {
  const page = await site.show('at rest')
  expect(await page.locator('html[lang=ar][dir=rtl]').count()).toBe(1)
  const field = page.getByPlaceholder(TEXTS.TEXT.emailPlaceholder)
  expect(await field.evaluate((it) => getComputedStyle(it).direction), 'of an empty field').toBe('rtl')
  expect([await page.title(), await content(page, 'property="og:title"')]).toEqual([TITLE, ofProvider(OWN.CARD_TITLE)])
  for (const name of ['name=description', 'property="og:description"'])
    expect(await content(page, name)).toBe(TEXTS.DESCRIPTION)
  expect(await page.getByText(PROVIDER, { exact: true }).isVisible()).toBe(true)
  const ours: string[] = readFileSync('src/ui/theme/brand.ts', 'utf8').match(/#\w{6}/g) ?? []
  const old = ours.filter((colour) => !ours.includes(otherColour(colour)))
  expect(old.map(otherColour)).toContain(await content(page, 'name=theme-color'))
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /(html|js)$/.test(name))
  const built = files.map((name) => readFileSync(join(dist, name), 'utf8')).join()
  expect(old.filter((colour) => built.includes(colour))).toEqual([])
})

test('the links that the law asks for stand on the page and in the dialog, and work before any script', async () => {
  const page = await site.openPage({ javaScriptEnabled: false })
  await page.goto(site.origin)
  for (const place of ['main', 'dialog form']) {
    const links = await page
      .locator(`${place} a`)
      .evaluateAll((all) => all.map((link) => ({ text: link.textContent, href: link.getAttribute('href') })))
    expect(links).toEqual(LINKS)
  }
  const opened = page.waitForEvent('popup')
  await page.getByRole('main').getByRole('link').last().click()
  await (await opened).waitForURL(`${site.origin}/a/page`)
})

test('an added page has a head and a policy of its own, whatever signs are in it; before the app is there as later its link to a path without a page leads home, with the query, which leaves no trace', async () => {
  const page = await site.openPage()
  const policy = (await page.goto(`${site.origin}/a/page`))?.headers()['content-security-policy']
  expect(policy).not.toBe((await fetch(site.origin)).headers.get('content-security-policy'))
  expect(policy).toContain("connect-src 'self' https://api.example.com;")
  const previewed = [await content(page, 'property="og:url"'), await content(page, 'property="og:image"')]
  expect(previewed).toEqual(['https://example.com/a/page', 'https://example.com/card.jpg'])
  await page.route(/assets\/.*\.js/, () => {})
  for (const focused of ['body', 'h1']) {
    await page.reload()
    expect([await page.title(), await content(page, 'name=description')]).toEqual(['</title >&amp;', '"3"'])
    if (focused === 'h1') await appIsThere(page)
    const button = page.getByRole('button', { name: '3' })
    await button.click()
    expect(await button.getAttribute('aria-busy'), 'any press is held until the app answers').toBe(
      focused === 'h1' ? null : 'true',
    )
    await page.getByRole('link', { name: '1' }).click()
    await page.getByRole('heading', { name: TEXTS.TEXT.heading }).waitFor()
    const there = async () => [
      page.url(),
      await page.title(),
      await content(page, 'name=description'),
      ...(await page.evaluate(() => [scrollY, document.activeElement?.localName])),
    ]
    await expect.poll(there).toEqual([`${site.origin}/?x=%2F`, TITLE, TEXTS.DESCRIPTION, 0, focused])
    await page.goBack()
    await page.getByRole('heading', { name: '2' }).waitFor()
    await page.waitForURL(`${site.origin}/a/page`)
    await page.unrouteAll()
  }
})

test('a chunk of its own is prerendered and taken over', async () => {
  const page = await site.openPage()
  await page.goto(`${site.origin}/a/page`)
  const later = page.getByRole('button', { name: /idle|pressed/ })
  expect(await later.textContent()).toBe('idle')
  // It answers once its chunk is there.
  await expect.poll(() => later.click().then(() => later.textContent())).toBe('pressed')
})
