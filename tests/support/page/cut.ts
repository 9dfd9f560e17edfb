import type { Page } from 'playwright'

export const cut = (page: Page): Promise<string[]> => page.evaluate(findCut)

/** To run in the page: what is wider than the screen, or is read in a box that cuts it; empty where nothing is. */
export function findCut(): string[] {
  const found: string[] = []
  const { clientWidth, scrollWidth } = document.documentElement
  if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} px wide`)
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const { overflowX, overflowY, clipPath, clip } = getComputedStyle(element)
    if (!element.checkVisibility() || clipPath !== 'none' || clip !== 'auto' || !element.textContent?.trim()) continue
    const { left, right, bottom } = element.getBoundingClientRect()
    const what = `${element.localName} '${element.textContent.slice(0, 30)}'`
    if (left < 0 || right > clientWidth + 0.5) found.push(`${what} is over the edge`)
    if (element.parentElement?.closest('[id^=toast]') && bottom > innerHeight + 0.5)
      found.push(`${what} ends ${Math.round(bottom - innerHeight)} px below the screen`)
    if (overflowX === 'auto' && element.scrollWidth > element.clientWidth) found.push(`${what} scrolls sideways`)
    const hides = (overflow: string) => ['hidden', 'clip'].includes(overflow)
    if (hides(overflowX) && element.scrollWidth > element.clientWidth + 1) found.push(`${what} is cut at its side`)
    if (hides(overflowY) && element.scrollHeight > element.clientHeight + 1) found.push(`${what} is cut below`)
  }
  return found
}
