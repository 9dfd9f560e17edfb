import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { STANDARDS } from '../support/axe.ts'
import { browseBuiltSite } from '../support/browse-built-site.ts'
import { reach, STATE_NAMES } from '../support/page-states.ts'
import { ROUNDS } from '../support/rounds.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')
const EVERYTHING = ROUNDS >= 20

const LOOKS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'forced colours': { forcedColors: 'active' },
} as const

const MATRIX = [1440, 320, 768].flatMap((width) =>
  (['light', 'dark', 'forced colours'] as const).map((look) => ({ width, look })),
)

/** What axe can not decide, by rule and place, and why it is right. */
const REVIEWED: Record<string, { readonly within: string; readonly because: string }> = {
  'color-contrast': { within: 'main', because: 'legibility.test.ts measures what stands on the picture.' },
}

/** Where each rule's findings are reviewed. */
const placesIn = (look: string) => ({
  ...Object.fromEntries(Object.entries(REVIEWED).map(([rule, { within }]) => [rule, within])),
  // Where colours are forced, axe compares the ones that they replace, and finds them equal.
  ...(look === 'forced colours' && { 'color-contrast': 'body' }),
})

/** What axe finds broken, and what it can't decide outside the places of its rules: one line each. */
async function run([standards, places]: readonly [string[], Record<string, string>]) {
  const { violations, incomplete } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
    runOnly: standards,
    elementRef: true,
  })
  const nodesOf = (results: axe.Result[]) => results.flatMap(({ id, nodes }) => nodes.map((node) => ({ id, ...node })))
  return {
    violations: nodesOf(violations).map(({ id, target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
    undecided: nodesOf(incomplete)
      .filter(({ id, element }) => !element?.closest(places[id] ?? 'nowhere'))
      .map(({ id, target }) => `${id} at ${target}`),
  }
}

const site = browseBuiltSite()
let page: Page

describe.each(EVERYTHING ? MATRIX : MATRIX.slice(0, 1))(
  'at $width px in $look, axe finds nothing wrong with',
  ({ width, look }) => {
    test.each(STATE_NAMES)('%s', async (name) => {
      // The policy would refuse axe.
      page = await site.openPage({ viewport: { width, height: 800 }, bypassCSP: true, ...LOOKS[look] })
      await reach(page, site.origin, name)
      await page.evaluate(AXE)
      const found = await page.evaluate(run, [STANDARDS, placesIn(look)] as const)
      expect(found).toEqual({ violations: [], undecided: [] })
    })
  },
)
