import axe from 'axe-core'

export const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Where the document, as it stands once it stands still, breaks WCAG 2.2 AA or the usual practice: one line each. */
export async function violations(): Promise<string[]> {
  await standstill()
  const { violations: broken } = await axe.run(document, { runOnly: STANDARDS, resultTypes: ['violations'] })
  return broken.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id} at ${node.target.join(' ')}: ${node.failureSummary}`),
  )
}

/** Resolves when no entrance or exit is under way; what turns or runs out for longer is not waited for. */
export async function standstill(): Promise<void> {
  const brief = document
    .getAnimations()
    .filter((animation) => Number(animation.effect?.getComputedTiming().endTime) < 1000)
  await Promise.allSettled(brief.map((animation) => animation.finished))
}
