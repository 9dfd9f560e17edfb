import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test, vi } from 'vitest'
import * as TEXTS from '../../src/domain/texts.ts'
import { appIsThere, browseBuiltSite } from '../support/page/browse-built-site.ts'
import { findCovered, findCut } from '../support/page/cut.ts'
import { animationsFinished } from '../support/page/page-states.ts'
import { buildVariant, LINKS, otherColour } from '../support/page/variant.ts'

// The steps to the page's states find things by its texts.
const { PROVIDER } = vi.hoisted(() => ({ PROVIDER: '"Plum" & <Sons>' }))
vi.mock('../../src/domain/provider.ts', () => ({ PROVIDER }))
vi.mock('../../src/domain/texts.ts', async (original) => {
  const { longer } = await import('../support/page/longer.ts')
  const { LINKS, ...texts } = await original<typeof TEXTS>()
  return { ...longer(texts), LINKS, LANG: 'ar', DIR: 'rtl' }
})

const dist = buildVariant(PROVIDER, TEXTS)
const site = browseBuiltSite(dist)

const content = (page: Page, name: string) => page.locator(`meta[${name}]`).getAttribute('content')

/** Those that have the most text. */
const FULL = [
  'an invalid email',
  'a failed call, told over the dialog',
  'the dialog, empty',
  'no first name',
  'submitting',
  'an enquiry declined',
] as const

test.each(FULL)('%s: texts twice as long, in place of ours, are uncut and uncovered', async (name) => {
  const page = await site.show(name)
  await page.setViewportSize({ width: 320, height: 600 })
  await page.evaluate(animationsFinished)
  expect([...(await page.evaluate(findCut)), ...(await page.evaluate(findCovered))]).toEqual([])
  const found = await page.evaluate(() => {
    const attributesOf = (name: string) =>
      [...document.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name))
    return [document.body.textContent, ...attributesOf('placeholder'), ...attributesOf('aria-label')].join('\n')
  })
  expect(found.replaceAll(PROVIDER, '').match(/\p{Script=Latin}+/gu)).toBeNull()
})

test('language, name and colours are those of the brand, on the page and in every file', async () => {
  const page = await site.openPage()
  await page.goto(site.origin)
  expect(await page.locator('html[lang=ar][dir=rtl]').count()).toBe(1)
  expect([await page.title(), await content(page, 'property="og:title"')]).toEqual([TEXTS.TITLE, TEXTS.TITLE])
  expect(await content(page, 'name=description')).toBe(TEXTS.DESCRIPTION)
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
    const links = page.locator(`${place} a`)
    expect(await links.allTextContents()).toEqual(LINKS.map(({ text }) => text))
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(
      LINKS.map(({ href }) => href),
    )
  }
  const opened = page.waitForEvent('popup')
  await page.getByRole('main').getByRole('link').last().click()
  expect(new URL((await opened).url()).pathname).toBe('/a/page')
  await (await opened).close()
})

test.each(['before', 'when'])(
  'an added page has its own head, whatever signs are in it, and its link works %s the app is there',
  async (time) => {
    const page = await site.openPage()
    if (time === 'before') await page.route(/assets\/.*\.js/, () => {})
    const url = `${site.origin}/a/page`
    const policy = (await page.goto(url))?.headers()['content-security-policy']
    expect(policy).not.toBe((await fetch(site.origin)).headers.get('content-security-policy'))
    expect([await page.title(), await content(page, 'name=description')]).toEqual(['</title >&amp;', '"3"'])
    if (time === 'when') await appIsThere(page)
    await page.getByRole('link', { name: '1' }).click()
    await page.getByRole('heading', { name: TEXTS.TEXT.heading }).waitFor()
    const there = [page.url(), await page.title(), await page.evaluate(() => scrollY)]
    expect(there).toEqual([`${site.origin}/`, TEXTS.TITLE, 0])
    const focused = () => page.evaluate(() => document.activeElement?.localName)
    expect(await focused()).toBe(time === 'when' ? 'h1' : 'body')
    await page.goBack()
    await page.getByRole('heading', { name: '2' }).waitFor()
    expect(page.url()).toBe(url)
  },
)

test('a chunk of its own is prerendered and taken over; where it is not to be had, its fallback leaves the page usable', async () => {
  const page = await site.openPage()
  await page.goto(`${site.origin}/a/page`)
  const count = page.getByRole('button', { name: /^\d$/ })
  expect(await count.textContent()).toBe('3')
  // It answers once its chunk is there.
  await expect.poll(() => count.click().then(() => count.textContent())).not.toBe('3')
  const other = await site.openPage()
  await other.route(/assets\/later.*\.js/, (route) => route.abort())
  await other.goto(`${site.origin}/a/page`)
  await other.getByText('5').waitFor()
  await other.getByRole('link', { name: '1' }).click()
  await other.getByRole('heading', { name: TEXTS.TEXT.heading }).waitFor()
  expect(site.complaints.splice(0).join()).toContain('Failed to fetch dynamically imported module')
})
