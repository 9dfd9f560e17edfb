import type { SystemStyleObject } from '@chakra-ui/react'

/** At which edge of the screen notifications stand. Everything else that depends on it is made from it. */
export const EDGE: 'top' | 'bottom' = 'top'

/** How far above its place, in the direction of its edge, a notification comes from. */
export const AWAY = { opacity: 0, transform: `translateY(${EDGE === 'top' ? '-' : ''}0.75rem)` }

export const corner: SystemStyleObject = { position: 'fixed', [EDGE]: '20px', insetEnd: '20px' }

const paddings = (edge: string, other: string) => (EDGE === 'top' ? { pt: edge, pb: other } : { pt: other, pb: edge })

/** Paddings of a page whose content a notification does not cover. */
export const roomForToast: SystemStyleObject = {
  // It stands beside what a small screen shows, where there is room for both.
  '@media (max-width: 30rem) and (min-height: 31rem) and (max-height: 40rem)': paddings('12.25rem', '0.5rem'),
  '@media (min-width: 40rem) and (min-height: 22rem) and (max-height: 30rem)': paddings('8.5rem', '0.25rem'),
  // So small a screen can only show what is under a notification if it can scroll there (WCAG 2.4.11).
  '@media (max-width: 30rem) and (max-height: 30rem)': {
    pt: 'max({spacing.8}, var(--toast-top, 0px) + 1rem)',
    pb: 'max({spacing.12}, var(--toast-bottom, 0px) + 1rem)',
  },
}
