import type { Stop } from '../domain/ports.ts'

/**
 * Lets what a notification covers be scrolled out from under it (WCAG 2.4.11). Nothing moves: the room that
 * `--toast-bottom` makes above what scrolls is scrolled away in the same moment, and stays where somebody looks into it.
 */
export function makeRoom(card: HTMLElement | null): Stop {
  // Its box is where it will stand: the entrance only transforms it.
  const bottom = card ? card.offsetTop + card.offsetHeight + 8 : 0
  const { style } = document.documentElement
  const scrollers = [...document.querySelectorAll<HTMLElement>('html, [data-scrolls]')]

  for (const panel of scrollers.slice(1)) if (panel.offsetHeight > 0) panel.style.maxHeight = `${panel.offsetHeight}px`
  const heights = scrollers.map(({ scrollHeight }) => scrollHeight)
  style.setProperty('--toast-bottom', `${bottom}px`)
  const rooms = scrollers.map(({ scrollHeight }, at) => scrollHeight - (heights[at] ?? 0))
  scrollers.forEach((scroller, at) => {
    scroller.scrollTop += rooms[at] ?? 0
  })
  document.activeElement?.scrollIntoView({ block: 'nearest' })

  return () => {
    if (scrollers.some(({ scrollTop, offsetHeight }, at) => offsetHeight > 0 && scrollTop < (rooms[at] ?? 0))) return
    style.removeProperty('--toast-bottom')
    scrollers.forEach((scroller, at) => {
      scroller.scrollTop -= rooms[at] ?? 0
    })
  }
}
