import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Where a page, opened without its policy, breaks WCAG 2.2 AA or the usual practice, and what axe can't decide there,
 * but for what is reviewed, by rule and place: one line each.
 */
export async function axeFindings(page: Page, reviewed: Record<string, string> = {}) {
  await page.evaluate(AXE)
  const run = async ([standards, places]: readonly [string[], Record<string, string>]) => {
    const { axe: checker } = window as unknown as { axe: typeof axe }
    const { violations, incomplete } = await checker.run(document, { runOnly: standards, elementRef: true })
    const nodesOf = (results: axe.Result[]) =>
      results.flatMap(({ id, nodes }) => nodes.map((node) => ({ id, ...node })))
    const undecided = nodesOf(incomplete).filter(({ id, element }) => !element?.closest(places[id] ?? 'nowhere'))
    return {
      violations: nodesOf(violations).map(({ id, target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
      undecided: undecided.map(({ id, target }) => `${id} at ${target}`),
    }
  }
  return page.evaluate(run, [STANDARDS, reviewed] as const)
}
