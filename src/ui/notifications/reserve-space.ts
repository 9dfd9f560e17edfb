import type { Cancel } from '../../domain/ports.ts'
import { EDGE } from './corner.ts'

/**
 * Lets what a notification covers be scrolled out from under it (WCAG 2.4.11), by a space at that end of what scrolls.
 * Nothing moves: a space at the top is scrolled away in the same moment, and one that somebody has scrolled into stays.
 */
export function reserveToastSpace({ offsetTop, offsetHeight }: HTMLElement): Cancel {
  // The card's box is where it will stand: the entrance only transforms it.
  const covered = EDGE === 'top' ? offsetTop + offsetHeight : innerHeight - offsetTop
  const { style } = document.documentElement
  const scrollers = [...document.querySelectorAll<HTMLElement>('html, [data-scrolls]')]

  // A panel does not grow by the space in it, and stays on the screen when that is turned.
  for (const panel of scrollers.slice(1)) {
    const { bottom, height } = panel.getBoundingClientRect()
    if (height === 0) continue
    panel.style.maxHeight = `min(${getComputedStyle(panel).height}, 100dvh - var(--dialog-top) - 1rem)`
    if (EDGE === 'bottom') panel.style.setProperty('--covered-bottom', `${Math.max(0, bottom - offsetTop + 8)}px`)
  }
  const before = scrollers.map(({ scrollHeight, scrollTop }) => ({ scrollHeight, scrollTop }))
  style.setProperty(`--toast-${EDGE}`, `${covered + 8}px`)
  const spaces = scrollers.map((scroller, at) => {
    const { scrollHeight = 0, scrollTop = 0 } = before[at] ?? {}
    const space = scroller.scrollHeight - scrollHeight
    const above = EDGE === 'top' ? space : 0
    scroller.scrollTop = scrollTop + above
    return { scroller, above, below: space - above }
  })
  document.activeElement?.scrollIntoView({ block: 'nearest' })

  return () => {
    const after = spaces.map(({ scroller, above, below }) => {
      const { scrollTop, scrollHeight, clientHeight, offsetHeight } = scroller
      const top = scrollTop - above
      return { scroller, top, seen: offsetHeight > 0 && (top < 0 || top + clientHeight > scrollHeight - below) }
    })
    if (after.some(({ seen }) => seen)) return
    style.removeProperty(`--toast-${EDGE}`)
    for (const { scroller, top } of after) {
      for (const property of ['--covered-bottom', 'max-height']) scroller.style.removeProperty(property)
      scroller.scrollTop = top
    }
  }
}
