import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import sharp from 'sharp'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { answerCalls, reach, STATE_NAMES, STATES } from '../../scripts/page-states.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import * as OTHER from '../support/page/other-brand.ts'

type Rebranded = typeof import('../../src/domain/provider.ts') &
  typeof import('../../src/domain/texts.ts') &
  typeof import('../../src/ui/brand.ts')
OTHER satisfies Rebranded

// The steps to the page's states find things by its texts.
vi.mock('../../src/domain/texts.ts', () => import('../support/page/other-brand.ts'))

const { COLOURS, DESCRIPTION, DIR, LANG, LOGO, PROVIDER, TEXT, TITLE } = OTHER
const dist = mkdtempSync(join(tmpdir(), 'rebranded-'))

beforeAll(async () => {
  const replacement = resolve('tests/support/page/other-brand.ts')
  const alias = [{ find: /^\.{1,2}\/(?:.*\/)?(?:provider|texts|brand)\.ts$/, replacement }]
  vi.stubEnv('NODE_ENV', 'production')
  await build({ build: { outDir: dist, emptyOutDir: true }, resolve: { alias }, logLevel: 'error' })
  vi.unstubAllEnvs()
})
afterAll(() => rmSync(dist, { recursive: true }))

const site = browseBuiltSite(dist)
let page: Page

/** Every text of the document, of its templates and of its styles, seen or heard. */
function texts(): string[] {
  const found: string[] = []
  const collect = (root: ParentNode) => {
    for (const element of root.querySelectorAll('*')) {
      if (element instanceof HTMLTemplateElement) collect(element.content)
      if (!['SCRIPT', 'STYLE'].includes(element.tagName))
        found.push(...[...element.childNodes].map((node) => (node instanceof Text ? node.data : '')))
      for (const { name, value } of element.attributes)
        if (/^(aria-(label|description|roledescription|valuetext)|placeholder|title|alt)$/.test(name)) found.push(value)
      if (element.matches('meta:is([name=description], [property$=title], [property$=description])'))
        found.push(element.getAttribute('content') ?? '')
    }
  }
  collect(document)
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join()
  return [...found, ...[...rules.matchAll(/content: "(.*?)"/g)].map(([, text]) => text ?? '')]
}

async function expectNoEnglish() {
  const words = (await page.evaluate(texts)).map((text) => text.replaceAll(PROVIDER, ''))
  expect(words.filter((text) => /\p{Script=Latin}/u.test(text))).toEqual([])
  expect(words.filter((text) => /\p{Script=Arabic}/u.test(text)).length).toBeGreaterThan(10)
}

/** Where everything stands, with the page's own direction and with the other one, seen in a mirror. */
function mirrored() {
  for (const animation of document.getAnimations()) {
    animation.pause()
    animation.currentTime = 0
  }
  const { dir } = document.documentElement
  const places = (mirror: boolean) =>
    [...document.querySelectorAll('body *')].flatMap((element) => {
      if (!(element instanceof HTMLElement) || element.getClientRects().length === 0) return []
      const { left, right, top, width } = element.getBoundingClientRect()
      const start = mirror ? innerWidth - right : left
      const [origin = 0] = getComputedStyle(element).transformOrigin.split('px').map(Number)
      const from = mirror ? width - origin : origin
      return `${element.tagName} ${[start, top, from].map(Math.round).join(' ')}`
    })
  const own = places(false)
  document.documentElement.dir = dir === 'rtl' ? 'ltr' : 'rtl'
  const other = places(true)
  document.documentElement.dir = dir
  return { own, other }
}

test.each(STATE_NAMES)('another language has no word of English, and runs in its own direction: %s', async (name) => {
  page = await site.openPage()
  await reach(page, site.origin, name)
  await expectNoEnglish()
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 })
    const { own, other } = await page.evaluate(mirrored)
    expect(own, `at ${width} px`).toEqual(other)
  }
})

test('nor while the app is on its way, nor where no scripts run', async () => {
  page = await site.openPage({ javaScriptEnabled: false })
  await page.goto(site.origin)
  expect(await page.locator('noscript').innerText()).toBe(TEXT.withoutScripts)
  page = await site.openPage()
  await page.route('**/assets/*.js', () => {})
  await page.goto(site.origin)
  await STATES['the dialog, filled in'](page)
  await page.getByRole('button', { name: TEXT.submit }).click()
  await page.getByText(TEXT.loading).waitFor()
  await expectNoEnglish()
})

test('nor where the message comes to its end', async () => {
  page = await site.openPage()
  await answerCalls(page, 'never')
  await page.goto(site.origin)
  await STATES['the dialog, empty'](page)
  await page.getByPlaceholder(TEXT.message).fill('m'.repeat(4990))
  await page.getByText(TEXT.charactersLeft(10)).waitFor()
  await expectNoEnglish()
})

test('a placeholder runs in the direction of the page', async () => {
  page = await site.openPage()
  await page.goto(site.origin)
  expect(await page.locator('html').getAttribute('lang')).toBe(LANG)
  for (const field of await page.locator('input, textarea').all())
    expect(await field.evaluate((it) => getComputedStyle(it).direction)).toBe(DIR)
})

test('another name is in title, previews and logo, whatever signs it has', async () => {
  page = await site.openPage()
  await page.goto(site.origin)
  expect(await page.title()).toBe(TITLE)
  const content = (name: string) =>
    page.locator(`meta:is([name="${name}"], [property="${name}"])`).getAttribute('content')
  expect([await content('og:title'), await content('description')]).toEqual([TITLE, DESCRIPTION])
  expect(await content('og:description')).toBe(DESCRIPTION)
  expect(await page.getByText(PROVIDER, { exact: true }).isVisible()).toBe(true)
  expect(await content('theme-color')).toBe(COLOURS.deep[0])
  const drop = page.locator('main svg path')
  expect(await drop.evaluateAll((all) => all.map((path) => path.getAttribute('d')))).toEqual(Object.values(LOGO))
})

test('no colour of the old brand is left in any file, and the icons have the new ones', async () => {
  const brand = await vi.importActual<typeof import('../../src/ui/brand.ts')>('../../src/ui/brand.ts')
  const others = new Set(Object.values(COLOURS).flat())
  const old = Object.values(brand.COLOURS)
    .flat()
    .filter((colour) => colour !== '#ffffff')
  expect(old.filter((colour) => others.has(colour))).toEqual([])
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(html|js)$/.test(name))
  expect(files.length).toBeGreaterThan(1)
  for (const name of files) {
    const text = decodeURIComponent(readFileSync(join(dist, name), 'utf8').replaceAll(/%(?![0-9A-F]{2})/g, '%25'))
    expect(
      [...old, ...Object.values(brand.LOGO)].filter((part) => text.includes(part)),
      name,
    ).toEqual([])
  }
  const { data } = await sharp(join(dist, 'touch-icon.png')).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const pixel = (x: number, y: number) => `#${data.subarray(3 * (180 * y + x), 3 * (180 * y + x) + 3).toString('hex')}`
  expect([pixel(2, 2), pixel(90, 50)]).toEqual([COLOURS.deep[0], COLOURS.accent[0]])
})
