import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import sharp from 'sharp'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { DESCRIPTION, DIR, LANG, TEXT, TITLE } from '../../src/domain/texts.ts'
import * as OLD from '../../src/ui/theme/brand.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { COLOURS, LOGO } from '../support/page/other-brand.ts'
import { PROVIDER } from '../support/page/other-provider.ts'
import { gotoState, STATE_NAMES, STATES } from '../support/page/page-states.ts'

// The steps to the page's states find things by its texts.
vi.mock('../../src/domain/texts.ts', async (original) => {
  const { otherTexts } = await import('../support/page/other-language.ts')
  return otherTexts(await original<typeof import('../../src/domain/texts.ts')>())
})

const dist = mkdtempSync(join(tmpdir(), 'rebranded-'))

beforeAll(async () => {
  const other = (names: string, file: string) => ({
    find: new RegExp(`^(?:\\.{1,2}/){1,2}(?!\\.)(?:.*/)?(?:${names})\\.ts$`),
    replacement: resolve(`tests/support/page/other-${file}.ts`),
  })
  const alias = [other('provider', 'provider'), other('texts|brand', 'brand')]
  vi.stubEnv('NODE_ENV', 'production')
  vi.stubEnv('PUBLIC_ORIGIN', 'https://www.example.com')
  await build({ build: { outDir: dist, emptyOutDir: true }, resolve: { alias }, logLevel: 'error' })
  vi.unstubAllEnvs()
})
afterAll(() => rmSync(dist, { recursive: true }))

const site = browseBuiltSite(dist)

/** Every text of the document, of its templates and of its styles, seen or heard. */
function texts(root: ParentNode | null): string[] {
  const READ = /^(aria-(label|description|roledescription|valuetext)|placeholder|title|alt)$/
  const READ_META = 'meta:is([name=description], [property$=title], [property$=description])'
  const found = [...(root ?? document).querySelectorAll('*')].flatMap((element) => [
    ...(element instanceof HTMLTemplateElement ? texts(element.content) : []),
    ...[...element.childNodes].map((node) =>
      node instanceof Text && !element.matches('script, style') ? node.data : '',
    ),
    ...[...element.attributes].map(({ name, value }) => (READ.test(name) ? value : '')),
    element.matches(READ_META) ? (element.getAttribute('content') ?? '') : '',
  ])
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join()
  return [...found, ...[...rules.matchAll(/content: "(.*?)"/g)].map(([, text]) => text ?? '')]
}

async function expectNoEnglish(page: Page, where: string) {
  const words = (await page.evaluate(texts, null)).map((text) => text.replaceAll(PROVIDER, ''))
  expect(
    words.filter((text) => /\p{Script=Latin}/u.test(text)),
    where,
  ).toEqual([])
  expect(words.filter((text) => /\p{Script=Arabic}/u.test(text)).length, where).toBeGreaterThan(10)
}

test('another language has no word of English in any state, nor while the app is on its way', async () => {
  const page = await site.openPage()
  for (const name of STATE_NAMES) {
    await gotoState(page, site.origin, name)
    await expectNoEnglish(page, name)
  }
  await gotoState(page, site.origin, 'the dialog, empty')
  await page.getByPlaceholder(TEXT.message).fill('m'.repeat(4990))
  await page.getByText(TEXT.charactersLeft(10)).waitFor()
  await expectNoEnglish(page, 'at the end of a message')

  await page.route('**/assets/*.js', () => {})
  await page.goto(site.origin)
  await STATES['the dialog, filled in'](page)
  await page.getByRole('button', { name: TEXT.submit }).click()
  await page.getByText(TEXT.loading).filter({ visible: true }).waitFor()
  await expectNoEnglish(page, 'while the app is on its way')
})

test('language and direction are the page’s, and another name is in title, previews and logo, whatever signs it has', async () => {
  const page = await site.openPage()
  await page.goto(site.origin)
  expect(await page.locator('html').getAttribute('lang')).toBe(LANG)
  const content = (name: string) =>
    page.locator(`meta:is([name="${name}"], [property="${name}"])`).getAttribute('content')
  expect([await page.title(), await content('og:title')]).toEqual([TITLE, TITLE])
  expect([await content('description'), await content('og:description')]).toEqual([DESCRIPTION, DESCRIPTION])
  expect(await content('og:url')).toBe('https://www.example.com/')
  expect(await content('og:image')).toBe('https://www.example.com/card.jpg')
  expect(await content('theme-color')).toBe(COLOURS.picture.solid[0])
  expect(await page.getByText(PROVIDER, { exact: true }).isVisible()).toBe(true)
  const drop = page.locator('main svg path')
  expect(await drop.evaluateAll((all) => all.map((path) => path.getAttribute('d')))).toEqual(Object.values(LOGO))

  const directions = (typed: string) =>
    page.locator('input, textarea').evaluateAll((all: HTMLInputElement[], typed) => {
      for (const field of all) field.value = typed
      return all.map((field) => getComputedStyle(field).direction)
    }, typed)
  expect(await directions('')).toEqual(Array(5).fill(DIR))
  expect(await directions('Latin')).toEqual(Array(5).fill('ltr'))

  const href = (rel: string) => page.locator(`link[rel="${rel}"]`).getAttribute('href')
  const sizes: string[] = []
  for (const path of [await href('icon'), await href('apple-touch-icon'), '/card.jpg']) {
    const answer = await fetch(new URL(path ?? '', site.origin))
    const { format, width, height } = await sharp(await answer.arrayBuffer()).metadata()
    sizes.push(`${format} ${width}x${height}`)
  }
  expect(sizes).toEqual(['png 32x32', 'png 180x180', 'jpeg 1200x630'])
})

const coloursOf = (colours: typeof COLOURS) =>
  Object.values(colours)
    .flatMap(Object.values<string[]>)
    .flat()

test('no colour of the old brand is left in any file, and the icon has the new ones', async () => {
  const colours = new Set(coloursOf(COLOURS))
  const old = coloursOf(OLD.COLOURS).filter((colour) => colour !== '#ffffff')
  expect(old.filter((colour) => colours.has(colour))).toEqual([])
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(html|js)$/.test(name))
  expect(files.length).toBeGreaterThan(1)
  for (const name of files) {
    const text = readFileSync(join(dist, name), 'utf8')
    const left = [...old, ...Object.values(OLD.LOGO)].filter((part) => text.includes(part))
    expect(left, name).toEqual([])
  }
  const { data } = await sharp(join(dist, 'touch-icon.png')).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const pixel = (x: number, y: number) => `#${data.subarray(3 * (180 * y + x), 3 * (180 * y + x) + 3).toString('hex')}`
  expect([pixel(2, 2), pixel(90, 50)]).toEqual([COLOURS.picture.solid[0], COLOURS.brand.solid[0]])
})
