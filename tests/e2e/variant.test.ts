import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { PROVIDER as OWN_PROVIDER } from '../../src/domain/provider.ts'
import * as OWN from '../../src/domain/texts.ts'
import { appIsThere, browseBuiltSite } from '../support/page/browse-built-site.ts'
import { findCovered, findCut } from '../support/page/find.ts'
import { SMALL } from '../support/page/screens.ts'
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

// Those that have the most text.
describe.each([
  'an invalid email',
  'a failed call, told over the dialog',
  'no first name',
  'submitting',
  'an enquiry declined',
] as const)('translated, in the state %s,', (name) => {
  test('no text is left in our language', async () => {
    const found = await (await site.show(name)).evaluate(() => {
      const attributesOf = (name: string) =>
        [...document.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name))
      return [document.body.textContent, ...attributesOf('placeholder'), ...attributesOf('aria-label')].join('\n')
    })
    expect(found.replaceAll(PROVIDER, '').match(/\p{Script=Latin}+/gu)).toBeNull()
  })

  test('texts twice as long are uncut and uncovered on a small phone', async () => {
    const page = await site.show(name, { viewport: SMALL })
    expect([...(await page.evaluate(findCut)), ...(await page.evaluate(findCovered))]).toEqual([])
  })
})

test('the page has the language and the direction of its texts, empty fields too', async () => {
  const page = await site.show('at rest')
  expect(await page.locator('html[lang=ar][dir=rtl]').count()).toBe(1)
  const field = page.getByPlaceholder(TEXTS.TEXT.emailPlaceholder)
  expect(await field.evaluate((it) => getComputedStyle(it).direction)).toBe('rtl')
})

test('title, description and the card of a shared link are those of the provider', async () => {
  const page = await site.show('at rest')
  expect([await page.title(), await content(page, 'property="og:title"')]).toEqual([TITLE, ofProvider(OWN.CARD_TITLE)])
  for (const name of ['name=description', 'property="og:description"'])
    expect(await content(page, name)).toBe(TEXTS.DESCRIPTION)
  expect(await page.getByText(PROVIDER, { exact: true }).isVisible()).toBe(true)
})

test('no file holds a colour that the brand has replaced', async () => {
  const ours: string[] = readFileSync('src/ui/theme/brand.ts', 'utf8').match(/#\w{6}/g) ?? []
  const replaced = ours.filter((colour) => !ours.includes(otherColour(colour)))
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /(html|js)$/.test(name))
  const built = files.map((name) => readFileSync(join(dist, name), 'utf8')).join()
  expect(built).toContain(otherColour(replaced[0] ?? ''))
  expect(replaced.filter((colour) => built.includes(colour))).toEqual([])
})

test('the links that the law asks for open beside the page, before any script', async () => {
  const page = await site.openPage({ javaScriptEnabled: false })
  await page.goto(site.origin)
  for (const place of ['main', 'dialog form']) {
    const links = page.locator(`${place} a`)
    const found = await links.evaluateAll((all) =>
      all.map((link) => ({ text: link.textContent, href: link.getAttribute('href') })),
    )
    expect(found).toEqual(LINKS)
  }
  const opened = page.waitForEvent('popup')
  await page.getByRole('main').getByRole('link').last().click()
  await (await opened).waitForURL(`${site.origin}/a/page`)
})

describe('an added page', () => {
  /** Opens it; its scripts wait for this. */
  async function openOther(release: Promise<unknown>) {
    const page = await site.openPage()
    await page.route(/assets\/.*\.js/, (route) => release.then(() => route.continue()))
    await page.goto(`${site.origin}/a/page`)
    return page
  }
  const never = new Promise(() => {})
  const atOnce = Promise.resolve()

  test('has a policy of its own, which lets it call CONNECT_ORIGINS', async () => {
    const [own, home] = await Promise.all(['/a/page', '/'].map((path) => fetch(site.origin + path)))
    const policy = own?.headers.get('content-security-policy')
    expect(policy).not.toBe(home?.headers.get('content-security-policy'))
    expect(policy).toContain("connect-src 'self' https://api.example.com;")
  })

  test('has a head of its own, whatever signs are in it', async () => {
    const page = await openOther(never)
    const address = [await content(page, 'property="og:url"'), await content(page, 'property="og:image"')]
    expect(address).toEqual(['https://example.com/a/page', 'https://example.com/card.jpg'])
    expect([await page.title(), await content(page, 'name=description')]).toEqual(['</title >&amp;', '"3"'])
  })

  test.each([
    ['before the app is there', never, 'body'],
    ['by the app', atOnce, 'h1'],
  ])('leads home %s, with the query, by a link to a path without a page', async (_, release, focused) => {
    const page = await openOther(release)
    if (release === atOnce) await appIsThere(page)
    await page.getByRole('link', { name: 'away' }).click()
    await page.getByRole('heading', { name: TEXTS.TEXT.heading }).waitFor()
    const there = async () => [
      page.url(),
      await page.title(),
      await content(page, 'name=description'),
      ...(await page.evaluate(() => [scrollY, document.activeElement?.localName])),
    ]
    await expect.poll(there).toEqual([`${site.origin}/?x=%2F`, TITLE, TEXTS.DESCRIPTION, 0, focused])
    await page.goBack()
    await page.getByRole('heading', { name: 'other page' }).waitFor()
  })

  test('holds the press of any button, and makes it once', async () => {
    const scripts = Promise.withResolvers<void>()
    const page = await openOther(scripts.promise)
    const button = page.getByRole('button', { name: 'now' })
    await button.click()
    expect(await button.getAttribute('aria-busy')).toBe('true')
    scripts.resolve()
    await expect.poll(() => button.textContent()).toBe('now 1')
  })

  test('prerenders a chunk of its own, which takes presses once it has come', async () => {
    const page = await openOther(atOnce)
    const button = page.getByRole('button', { name: 'later' })
    await expect.poll(() => button.click().then(() => button.textContent())).toMatch(/later [1-9]/)
    expect(await (await fetch(`${site.origin}/a/page`)).text()).toMatch(/later.*0<\/button>/)
  })
})
