import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page, ViewportSize } from 'playwright'
import { expect, test } from 'vitest'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { findCovered, findCut } from '../support/page/cut.ts'
import { animationsFinished, restyle, SCREENS, STATE_NAMES } from '../support/page/page-states.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }'
const LARGE_TEXT = 'html { font-size: 200% }'
const SMALL = { width: 320, height: 568 }

const VIEWS: { readonly viewport: ViewportSize; readonly css?: string }[] = [
  { viewport: SMALL, css: SPACING },
  { viewport: SMALL, css: LARGE_TEXT },
  { viewport: { width: 1280, height: 800 }, css: LARGE_TEXT },
  // A zoom of 400 %.
  { viewport: { width: 320, height: 256 } },
  ...SCREENS.map((viewport) => ({ viewport })),
]

const LOOKS = [
  { width: 320, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const

/** Where axe can't decide on contrasts: on the image, which legibility.test.ts measures, and under a notification. */
const measured = (name: string) => (name.endsWith('over the dialog') ? 'body' : 'main')

const site = browseBuiltSite()

/** Which of these rules on sizes and places does not hold. */
function broken(): string[] {
  const rectOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
  const [width, main, toast, dialog] = [
    innerWidth,
    rectOf('main'),
    rectOf('[id^=toast-] > *'),
    rectOf('dialog[open] > #contact > :last-child'),
  ]
  const near = (one: number, other: number) => Math.abs(one - other) <= 0.5
  const rules = {
    'what is pressed or filled in is at least 44 px wide and high': [
      ...document.querySelectorAll<HTMLElement>('a, button, input, textarea'),
    ]
      .filter((element) => element.checkVisibility())
      .every(({ offsetWidth, offsetHeight }) => offsetWidth >= 44 && offsetHeight >= 44),
    'the image fills the screen':
      main && main.left === 0 && main.top + scrollY === 0 && main.width === width && main.height >= innerHeight,
    'a notification is 25rem wide or fits the screen, 20 px from the top and the right':
      !toast || (toast.top === 20 && near(toast.right, width - 20) && toast.width === Math.min(400, width - 40)),
    'the dialog is 70vw wide, or 22rem, in the middle, and fits the screen':
      !dialog ||
      (dialog.top >= 0 &&
        near(dialog.width, Math.max(0.7 * width, Math.min(352, width - 32))) &&
        near(dialog.left + dialog.width / 2, width / 2) &&
        dialog.bottom < innerHeight),
  }
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]))
}

/**
 * Where the page breaks WCAG 2.2 AA or the usual practice, and what axe can't decide there, but for contrasts within what is
 * `measured` elsewhere.
 */
async function axeFindings(page: Page, measured: string): Promise<string[]> {
  const run = async ([standards, measured]: readonly [string[], string]) => {
    const { axe: checker } = window as unknown as { axe: typeof axe }
    const { violations, incomplete } = await checker.run(document, { runOnly: standards, elementRef: true })
    const isOpen = (id: string, { element }: axe.NodeResult) => id !== 'color-contrast' || !element?.closest(measured)
    return [
      ...violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target}`)),
      ...incomplete.flatMap(({ id, nodes }) =>
        nodes.filter((node) => isOpen(id, node)).map(({ target }) => `${id}, perhaps, at ${target}`),
      ),
    ]
  }
  return page.evaluate(run, [STANDARDS, measured] as const)
}

test('in every state all that is pressed has 44 px, all is in its place on every screen, nothing is cut or covered when enlarged, and axe finds nothing', async () => {
  const found: string[] = []
  for (const name of STATE_NAMES) {
    const page = await site.show(name)
    for (const { viewport, css = '' } of VIEWS) {
      await page.setViewportSize(viewport)
      await page.evaluate(restyle, css)
      await page.evaluate(animationsFinished)
      const rules = css ? [findCut, findCovered] : [findCut, findCovered, broken]
      for (const rule of rules)
        for (const what of await page.evaluate(rule))
          found.push(`${name}, ${viewport.width} by ${viewport.height} px, ${css}: ${what}`)
    }
    if (name === 'at rest') await page.evaluate(AXE)
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      await page.evaluate(animationsFinished)
      for (const what of await axeFindings(page, measured(name)))
        found.push(`${name}, ${width} px, ${colorScheme}: ${what}`)
    }
  }
  expect(found).toEqual([])
})
