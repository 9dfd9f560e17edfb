import type { SystemStyleObject } from '@chakra-ui/react'
import { NOTIFICATION_TEXT } from '../../domain/texts.ts'

type Corner = Readonly<Record<'top' | 'bottom' | 'marginInline', string>>

/** Where notifications stand. All that depends on it is made from it. */
const corner: Corner = { top: '20px', bottom: 'auto', marginInline: 'auto 0' }

const AT_TOP = corner.bottom === 'auto'

/** What our longest notification takes of the screen's edge, where so many characters surely fit in each of its lines. */
function room(characters: number, lineHeight: '1lh' | '0.76lh'): string {
  const linesOf = (text: string) => Math.ceil(text.length / characters)
  const lines = Object.values(NOTIFICATION_TEXT).map(({ summary, detail }) => linesOf(summary) + linesOf(detail))
  return `calc(${Math.max(...lines)} * ${lineHeight} + 3.25rem)`
}

const ROOM = { base: room(16, '1lh'), sm: room(30, '1lh'), low: room(20, '0.76lh') }

/** Too low for the page below a notification. */
const LOW = '@media (max-height: 21.9rem), (max-width: 30rem) and (max-height: 30.9rem)'
/** Too low for the dialog, in one column or in two, below a notification. */
const LOW_FOR_DIALOG = '@media (max-height: 40.9rem), (max-width: 39.9rem) and (max-height: 47.9rem)'
/** Where a notification reaches the middle of the screen. */
const NARROW = '@media (max-width: 58rem) and (min-height: 31rem)'
const LOW_PHONE = '@media (max-width: 30rem) and (min-height: 31rem) and (max-height: 40rem)'
const LOW_SCREEN = '@media (min-width: 30.1rem) and (min-height: 22rem) and (max-height: 30rem)'

const atBottom: SystemStyleObject = { top: 'auto', bottom: '20px', '--notification-from': '0.75rem' }

/** The place of a notification: on a low screen it stands at the bottom edge, where it hides no first field. */
export const place: SystemStyleObject = {
  position: 'fixed',
  insetInline: '20px',
  ...corner,
  '--notification-from': AT_TOP ? '-0.75rem' : '0.75rem',
  [LOW]: { ...atBottom, textStyle: 'sm', '& > svg': { display: 'none' } },
  [LOW_FOR_DIALOG]: { 'dialog &': atBottom },
}

/** How a notification looks before it comes in and after it has gone out. */
export const AWAY = { opacity: 0, transform: 'translateY(var(--notification-from))' }

/** Scrolls what has the focus out from under a notification, if there is one or not (WCAG 2.4.11). */
export const clearOfNotifications: SystemStyleObject = {
  '--notification-room': ROOM.base,
  sm: { '--notification-room': ROOM.sm },
  scrollPadding: AT_TOP ? 'var(--notification-room) 0 0' : '0 0 var(--notification-room)',
  [LOW]: { '--notification-room': ROOM.low, scrollPadding: '0 0 var(--notification-room)' },
}

/** The spaces above and below what stands on a page: equal parts of what is left, and at least what notifications need. */
const atEdge: SystemStyleObject = {
  [NARROW]: { minH: 'var(--notification-room)' },
  [LOW_SCREEN]: { flexBasis: '8.5rem' },
}
const elsewhere: SystemStyleObject = { [LOW_PHONE]: { flexBasis: '0.5rem' }, [LOW_SCREEN]: { flexBasis: '0.25rem' } }

export const spaceAbove: SystemStyleObject = { flex: '1 0 2rem', ...(AT_TOP ? atEdge : elsewhere) }
export const spaceBelow: SystemStyleObject = {
  flex: '1 0 3rem',
  ...(AT_TOP ? elsewhere : atEdge),
  [LOW]: { minH: 'calc(var(--notification-room) + 1rem)' },
}

/** Where the dialog begins, and what it leaves free below: held at the top, so that it grows downwards. */
export const dialogPlace: SystemStyleObject = {
  '--dialog-height': '42rem',
  sm: { '--dialog-height': '32rem' },
  '--above': AT_TOP ? 'calc(var(--notification-room) + 0.5rem)' : '0.75rem',
  '--below': AT_TOP ? '0.75rem' : 'calc(var(--notification-room) + 0.5rem)',
  [LOW_FOR_DIALOG]: { '--above': '0.75rem', '--below': '0.75rem' },
  '--free': 'calc(100dvh - var(--dialog-height))',
  '--dialog-top': 'max(var(--above), min(var(--free) / 2, var(--free) - var(--below)))',
}

/** In a dialog that scrolls: its end can be scrolled out from under a notification. */
export const dialogScroller: SystemStyleObject = {
  [LOW_FOR_DIALOG]: { scrollPaddingBottom: 'var(--notification-room)' },
}
export const dialogContent: SystemStyleObject = {
  position: 'relative',
  // Unlike padding it adds nothing to the height of the dialog.
  [LOW_FOR_DIALOG]: {
    _after: { content: '""', position: 'absolute', top: '100%', width: '1px', height: 'var(--notification-room)' },
  },
}
