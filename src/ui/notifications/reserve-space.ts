import type { Cancel } from '../../domain/ports.ts'
import { EDGE } from './corner.ts'

/**
 * Lets what a notification covers be scrolled out from under it (WCAG 2.4.11), by a space at that end of what scrolls.
 * Nothing moves: a space at the top is scrolled away in the same moment, and one that is looked into stays.
 */
export function reserveToastSpace({ offsetTop, offsetHeight }: HTMLElement): Cancel {
  // The card's box is where it will stand: the entrance only transforms it.
  const covered = EDGE === 'top' ? offsetTop + offsetHeight : innerHeight - offsetTop
  const { style } = document.documentElement
  const scrollers = [...document.querySelectorAll<HTMLElement>('html, [data-scrolls]')]
  const panels = scrollers.slice(1)

  function reserve() {
    for (const panel of panels) {
      const { bottom, height } = panel.getBoundingClientRect()
      if (height === 0) continue
      // A panel does not grow by the space in it, and stays on the screen when that is turned.
      panel.style.maxHeight = `min(${getComputedStyle(panel).height}, 100dvh - var(--dialog-top) - 1rem)`
      if (EDGE === 'bottom') panel.style.setProperty('--covered-bottom', `${Math.max(0, bottom - offsetTop + 8)}px`)
    }
    style.setProperty(`--toast-${EDGE}`, `${covered + 8}px`)
  }

  function release() {
    style.removeProperty(`--toast-${EDGE}`)
    for (const panel of panels) panel.removeAttribute('style')
  }

  function releaseUnseen() {
    const before = scrollers.map((scroller) => scroller.scrollTop)
    if (changeSpace(scrollers, release)) return
    reserve()
    for (const [at, scroller] of scrollers.entries()) scroller.scrollTop = before[at] ?? 0
    // A dialog that closes is looked into no more. Another notification sees to its own space.
    const onClose = () => document.querySelector('[data-severity]:not([inert])') || releaseUnseen()
    addEventListener('close', onClose, { capture: true, once: true })
  }

  changeSpace(scrollers, reserve)
  document.activeElement?.scrollIntoView({ block: 'nearest' })
  return releaseUnseen
}

/** Changes the space and scrolls it away. Returns whether everything that is seen stands where it stood. */
function changeSpace(scrollers: readonly HTMLElement[], change: () => void): boolean {
  const before = scrollers.map(({ scrollTop, scrollHeight }) => ({ scrollTop, scrollHeight }))
  change()
  const stands = scrollers.map((scroller, at) => {
    const { scrollTop = 0, scrollHeight = 0 } = before[at] ?? {}
    const top = EDGE === 'top' ? scrollTop + scroller.scrollHeight - scrollHeight : scrollTop
    scroller.scrollTop = top
    return scroller.offsetHeight === 0 || Math.abs(scroller.scrollTop - top) < 1
  })
  return stands.every(Boolean)
}
