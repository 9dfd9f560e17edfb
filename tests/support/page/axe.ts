import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Where a page, opened without its policy, breaks WCAG 2.2 AA or the usual practice, and what axe can't decide there, but
 * for contrasts within what is `measured` elsewhere.
 */
export async function axeFindings(page: Page, measured: string): Promise<string[]> {
  await page.evaluate(AXE)
  const run = async ([standards, measured]: readonly [string[], string]) => {
    const { axe: checker } = window as unknown as { axe: typeof axe }
    const { violations, incomplete } = await checker.run(document, { runOnly: standards, elementRef: true })
    const nodesOf = (results: axe.Result[]) =>
      results.flatMap(({ id, nodes }) => nodes.map((node) => ({ ...node, found: `${id} at ${node.target}` })))
    const undecided = [
      ...nodesOf(incomplete.filter(({ id }) => id !== 'color-contrast')),
      ...nodesOf(incomplete.filter(({ id }) => id === 'color-contrast')).filter(
        ({ element }) => !element?.closest(measured),
      ),
    ]
    return [...nodesOf(violations), ...undecided].map(({ found }) => found)
  }
  return page.evaluate(run, [STANDARDS, measured] as const)
}
