import type { Cancel } from '../../domain/ports.ts'
import { EDGE } from './corner.ts'

/**
 * Lets what a notification covers be scrolled out from under it (WCAG 2.4.11), by a space at that end of what scrolls,
 * which `--toast-top` or `--toast-bottom` makes. Nothing moves: a space at the top is scrolled away in the same moment,
 * and a space that somebody has scrolled into stays.
 */
export function reserveToastSpace(card: HTMLElement): Cancel {
  // Its box is where it will stand: the entrance only transforms it.
  const covered = EDGE === 'top' ? card.offsetTop + card.offsetHeight : innerHeight - card.offsetTop
  const { style } = document.documentElement
  const scrollers = [...document.querySelectorAll<HTMLElement>('html, [data-scrolls]')]

  // The panel does not grow by the space in it, and stays on the screen when that is turned.
  for (const panel of scrollers.slice(1))
    if (panel.offsetHeight > 0)
      panel.style.maxHeight = `min(${getComputedStyle(panel).height}, 100dvh - var(--dialog-top) - 1rem)`
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
    const after = spaces.map(({ scroller, above, below }) => ({
      scroller,
      top: scroller.scrollTop - above,
      left: scroller.scrollHeight - below - scroller.clientHeight - scroller.scrollTop,
      below,
    }))
    const seen = ({ scroller, top, left, below }: (typeof after)[number]) =>
      scroller.offsetHeight > 0 && (top < 0 || (below > 0 && left < 0))
    if (after.some(seen)) return
    style.removeProperty(`--toast-${EDGE}`)
    for (const { scroller, top } of after) scroller.scrollTop = top
  }
}
