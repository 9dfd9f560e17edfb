import { readFileSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { buildVariant } from '../support/page/build-variant.ts'
import { covered } from '../support/page/covered.ts'
import { cut } from '../support/page/cut.ts'
import { STATE_NAMES, settle } from '../support/page/page-states.ts'

// The steps to the page's states find things by its texts.
vi.mock('../../src/domain/texts.ts', () => import('../support/page/german-texts.ts'))

const TEXTS = readFileSync('tests/support/page/german-texts.ts', 'utf8').replaceAll('../../../src/domain/', './')
const { dist, remove } = buildVariant({ 'src/domain/texts.ts': TEXTS })
afterAll(remove)

const site = browseBuiltSite(dist)

const SIZES = [
  [320, 568],
  [390, 844],
  [768, 1024],
] as const

test.each(STATE_NAMES)(
  '%s: the longest texts are cut nowhere, cover nothing, and scroll nothing sideways',
  async (name) => {
    const page = await site.show(name, { viewport: { width: 320, height: 568 } })
    const found: Record<string, readonly string[]> = {}
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height })
      await settle(page)
      found[width] = [...(await cut(page)), ...(await covered(page))]
    }
    expect(found).toEqual({ 320: [], 390: [], 768: [] })
  },
)
