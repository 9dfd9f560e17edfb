import { readFileSync } from 'node:fs'
import type { Page } from 'playwright'
import { afterAll, expect, test, vi } from 'vitest'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { buildVariant } from '../support/page/build-variant.ts'
import { cut } from '../support/page/cut.ts'
import { STATE_NAMES } from '../support/page/page-states.ts'

// The steps to the page's states find things by its texts.
vi.mock('../../src/domain/texts.ts', () => import('../support/page/german-texts.ts'))

const TEXTS = readFileSync('tests/support/page/german-texts.ts', 'utf8').replaceAll('../../../src/domain/', './')
const { dist, remove } = buildVariant({ 'src/domain/texts.ts': TEXTS })
afterAll(remove)

const site = browseBuiltSite(dist)

/** What on the screen lies under something else. */
const covered = (page: Page) =>
  page.evaluate(() => {
    scrollTo(0, 0)
    const dialog = document.querySelector('dialog[open]')
    const frame = dialog?.querySelector('[data-scrolls]')?.getBoundingClientRect()
    const { top, bottom } = frame ?? { top: 0, bottom: innerHeight }
    const parts = (dialog ?? document.querySelector('main'))?.querySelectorAll(
      'h1, h2, p, label, input, textarea, button',
    )
    return [...(parts ?? [])].flatMap((part) => {
      const { left, width, top: start, height } = part.getBoundingClientRect()
      const [x, y] = [left + width / 2, start + height / 2]
      if (
        !part.checkVisibility() ||
        height === 0 ||
        y < top ||
        y > bottom - 2 ||
        y > innerHeight ||
        part.closest('[id^=toast]')
      )
        return []
      const seen = document.elementFromPoint(x, y)
      return part.contains(seen)
        ? []
        : [`${part.localName} ${part.textContent} is under ${seen?.localName} ${seen?.textContent}`]
    })
  })

test.each(STATE_NAMES)(
  '%s: the longest texts are cut nowhere, cover nothing, and scroll nothing sideways',
  async (name) => {
    const found: Record<string, readonly string[]> = {}
    for (const [width, height] of [
      [320, 568],
      [390, 844],
      [768, 1024],
    ] as const) {
      const page = await site.show(name, { viewport: { width, height } })
      found[width] = [...(await cut(page)), ...(await covered(page))]
      await page.close()
    }
    expect(found).toEqual({ 320: [], 390: [], 768: [] })
  },
)
