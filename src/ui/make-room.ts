import type { Cancel } from '../domain/ports.ts'

/**
 * Lets what a notification covers be scrolled out from under it (WCAG 2.4.11). Nothing moves: the room that
 * `--toast-bottom` makes above what scrolls is scrolled away in the same moment, and stays where somebody looks into it.
 */
export function makeRoom(card: HTMLElement | null): Cancel {
  // Its box is where it will stand: the entrance only transforms it.
  const bottom = card ? card.offsetTop + card.offsetHeight + 8 : 0
  const { style } = document.documentElement
  const scrollers = [...document.querySelectorAll<HTMLElement>('html, [data-scrolls]')]

  // The panel does not grow by the room in it, and stays on the screen when that is turned.
  for (const panel of scrollers.slice(1))
    if (panel.offsetHeight > 0)
      panel.style.maxHeight = `min(${getComputedStyle(panel).height}, 100dvh - var(--dialog-top) - 1rem)`
  const before = scrollers.map(({ scrollHeight, scrollTop }) => ({ scrollHeight, scrollTop }))
  style.setProperty('--toast-bottom', `${bottom}px`)
  const rooms = scrollers.map((scroller, at) => {
    const { scrollHeight = 0, scrollTop = 0 } = before[at] ?? {}
    const room = scroller.scrollHeight - scrollHeight
    scroller.scrollTop = scrollTop + room
    return { scroller, room }
  })
  document.activeElement?.scrollIntoView({ block: 'nearest' })

  return () => {
    const left = rooms.map(({ scroller, room }) => ({ scroller, top: scroller.scrollTop - room }))
    if (left.some(({ scroller, top }) => scroller.offsetHeight > 0 && top < 0)) return
    style.removeProperty('--toast-bottom')
    for (const { scroller, top } of left) scroller.scrollTop = top
  }
}
