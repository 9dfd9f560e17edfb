import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import { describe, expect, test } from 'vitest'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { findFlaws } from '../support/page/find-flaws.ts'
import { type Look, STATE_NAMES, showState } from '../support/page/show-state.ts'

const show = showState(browseBuiltSite())

/** The spacing of text that WCAG 1.4.12 lets a visitor set. */
const SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }'
// The worst picture, because the texts on it are light.
const WHITE_PICTURE = 'main { background: #fff !important } main::before { content: none !important }'

const SMALL = { width: 320, height: 568 }
const VIEWS: Look[] = [
  {},
  { viewport: { width: 844, height: 390 } },
  // A desktop that is zoomed to 400 %.
  { viewport: { width: 320, height: 256 } },
  { viewport: SMALL, css: SPACING },
  { viewport: SMALL, css: 'html { font-size: 200% }' },
]

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** To run in the page: the places that break these rules, or that axe can't decide. */
async function axeFindings(runOnly: string[]): Promise<string[]> {
  const { axe: checker } = window as unknown as { axe: typeof axe }
  const { violations, incomplete } = await checker.run(document, { runOnly, resultTypes: ['violations', 'incomplete'] })
  return [...violations, ...incomplete].flatMap(({ id, helpUrl, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary} ${helpUrl}`),
  )
}

describe.each(STATE_NAMES)('in the state %s', (name) => {
  test('no part is cut, broken, covered or too small on any screen, even enlarged', async () => {
    for (const view of VIEWS) {
      const page = await show(name, view)
      expect.soft(await page.evaluate(findFlaws), JSON.stringify(view)).toEqual([])
    }
  })

  // Dark colours change nothing but colours.
  test.each([
    ['light', ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']],
    ['dark', ['color-contrast']],
  ] as const)('axe finds nothing on a white picture, in %s colours', async (colorScheme, rules) => {
    const page = await show(name, { colorScheme, css: WHITE_PICTURE })
    await page.evaluate(`if (!('axe' in window)) { ${AXE} }`)
    expect(await page.evaluate(axeFindings, [...rules])).toEqual([])
  })
})
