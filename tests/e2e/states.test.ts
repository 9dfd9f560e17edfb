import type { Page, ViewportSize } from 'playwright'
import { expect, test } from 'vitest'
import { keep, STATE_NAMES, STATES } from '../../scripts/page-states.ts'
import { axeFindings } from '../support/page/axe.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { cut } from '../support/page/cut.ts'
import { ROUNDS } from '../support/rounds.ts'

const SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }'

const SMALL = { width: 320, height: 568 }

const ENLARGED: Record<string, { readonly viewport: ViewportSize; readonly css?: string }> = {
  'more space in the text': { viewport: SMALL, css: SPACING },
  '200 % text on a small phone': { viewport: SMALL, css: 'html { font-size: 200% }' },
  '200 % text': { viewport: { width: 1280, height: 800 }, css: 'html { font-size: 200% }' },
  '400 % zoom': { viewport: { width: 320, height: 256 } },
}

type Look = { readonly width: number; readonly scheme: 'light' | 'dark' | 'forced' }

const LOOKS: readonly Look[] =
  ROUNDS >= 20
    ? [320, 768, 1440].flatMap((width) => (['light', 'dark', 'forced'] as const).map((scheme) => ({ width, scheme })))
    : [
        { width: 320, scheme: 'light' },
        { width: 1280, scheme: 'dark' },
      ]

/**
 * Where axe can't decide on contrasts: on the picture, which legibility.test.ts measures, under a notification, and where
 * colours are forced, for it compares those that they replace.
 */
const reviewed = (name: string, scheme: Look['scheme']) => ({
  'color-contrast': scheme === 'forced' || name.endsWith('over the dialog') ? 'body' : 'main',
})

/** In a short run without those that differ from others in their words alone. */
const WALKED = STATE_NAMES.filter((name) => ROUNDS >= 20 || !['no last name', 'no email'].includes(name))

const site = browseBuiltSite()
let page: Page

/** How long what moves takes. */
const moving = () =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === 'running')
      .map(({ effect }) => effect?.getTiming().duration),
  )

const tooSmall = () =>
  page.locator('button:visible, input:visible, textarea:visible, a:visible').evaluateAll((all) =>
    all.flatMap((element) => {
      const { offsetWidth, offsetHeight } = element as HTMLElement
      return offsetWidth < 44 || offsetHeight < 44 ? [`${element.outerHTML} ${offsetWidth}x${offsetHeight}`] : []
    }),
  )

/** Gives the page these rules besides its own, in place of those it was given before. */
function restyle(css: string) {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [sheet]
}

/** Which buttons of the dialog, if it is open, can't be brought whole onto the screen. */
async function outOfReach({ height: screen }: ViewportSize) {
  const buttons = await page.getByRole('dialog').getByRole('button').all()
  const found: string[] = []
  for (const button of buttons) {
    await button.scrollIntoViewIfNeeded()
    const { y = -1, height = 0 } = (await button.boundingBox()) ?? {}
    if (y < -1 || y + height > screen + 1) found.push(`${await button.innerText()} is at ${y}, and ${height} px high`)
  }
  return found
}

test.each(WALKED)(
  '%s: still where motion is reduced, 44 px to press, nothing cut when enlarged, nothing that axe finds',
  async (name) => {
    page = await site.openPage({ viewport: SMALL, reducedMotion: 'reduce', bypassCSP: true })
    await page.goto(site.origin)
    await STATES[name](page)
    expect(await moving()).toEqual(name === 'a new address' ? [3000] : [])

    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await keep(page)
    expect(await tooSmall()).toEqual([])

    for (const [how, { viewport, css = '' }] of Object.entries(ENLARGED)) {
      await page.setViewportSize(viewport)
      await page.evaluate(restyle, css)
      await keep(page)
      expect({ cut: await cut(page), outOfReach: await outOfReach(viewport) }, how).toEqual({ cut: [], outOfReach: [] })
    }

    for (const { width, scheme } of LOOKS) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia(scheme === 'forced' ? { forcedColors: 'active' } : { colorScheme: scheme })
      await keep(page)
      const nothing = { violations: [], undecided: [] }
      expect(await axeFindings(page, reviewed(name, scheme)), `at ${width} px, ${scheme}`).toEqual(nothing)
    }
  },
)
