import type { SystemStyleObject } from '@chakra-ui/react'

type Corner = Readonly<Record<'top' | 'bottom' | 'insetInlineStart' | 'insetInlineEnd', string>>

/** Where notifications stand. All that depends on it is made from it. */
export const corner: Corner = { top: '20px', bottom: 'auto', insetInlineStart: 'auto', insetInlineEnd: '20px' }

export const EDGE = corner.top === 'auto' ? 'bottom' : 'top'

/** How far above its place, in the direction of its edge, a notification comes from. */
export const AWAY = { opacity: 0, transform: `translateY(${EDGE === 'top' ? '-' : ''}0.75rem)` }

const TINY = '@media (max-width: 30rem) and (max-height: 30.9rem)'
/** Where a notification reaches the middle of the screen. */
const NARROW = '@media (max-width: 58rem) and (min-height: 31rem)'
const LOW_PHONE = '@media (max-width: 30rem) and (min-height: 31rem) and (max-height: 40rem)'
const LOW_SCREEN = '@media (min-width: 40rem) and (min-height: 22rem) and (max-height: 30rem)'

const COVERED = `var(--toast-${EDGE}, 0px)`

/** Where there is room for both, a notification covers neither heading nor field. */
const atEdge: SystemStyleObject = {
  // Where there is none, what it covers can be scrolled out from under it (WCAG 2.4.11).
  [TINY]: { minH: `calc(${COVERED} + 1rem)` },
  // Room for our longest texts; for longer ones the edge of the logo may be covered.
  [NARROW]: { minH: `max(12.25rem, ${COVERED} - 1rem)` },
  [LOW_PHONE]: { flexBasis: '12.25rem' },
  [LOW_SCREEN]: { flexBasis: '8.5rem' },
}
const elsewhere: SystemStyleObject = { [LOW_PHONE]: { flexBasis: '0.5rem' }, [LOW_SCREEN]: { flexBasis: '0.25rem' } }

/** The spaces above and below what stands on a page: equal parts of what is left, and at least what notifications need. */
export const spaceAbove: SystemStyleObject = { flex: '1 0 2rem', ...(EDGE === 'top' ? atEdge : elsewhere) }
export const spaceBelow: SystemStyleObject = { flex: '1 0 3rem', ...(EDGE === 'bottom' ? atEdge : elsewhere) }
