import { chakra } from '@chakra-ui/react'
import { AnimatePresence } from 'framer-motion'
import { useEffect } from 'react'
import { NOTIFICATIONS_ID } from '../../element-names.ts'
import { useObservable, useServices } from '../services.ts'
import { NotificationCard } from './notification-card.tsx'

/**
 * The space in which the notification moves while the page scrolls: from below logo and 'Contact us' to the end of the
 * page. The notification is sticky, so it stays in view, and never covers logo and 'Contact us'.
 */
const Track = chakra('div', {
  base: {
    position: 'absolute',
    // The right edge of the notification is that of 'Contact us'.
    insetInline: 'gutter',
    zIndex: 20,
    display: 'grid',
    h: 'full',
    alignItems: 'start',
    justifyItems: 'end',
    pointerEvents: 'none',
    // A notification that fades out has the same place as the one that replaces it.
    '& > *': { gridArea: '1 / 1' },
  },
})

/** The place of the notification. It is always in the page: screen readers ignore a live region that is added later. */
export function Notifications() {
  const { notifications } = useServices()
  const shown = useObservable(notifications)
  useEffect(() => {
    const closeByEscape = ({ key }: KeyboardEvent) => key === 'Escape' && notifications.close()
    const followVisibility = () => notifications.setPause('hidden', document.hidden)
    followVisibility()
    document.addEventListener('keydown', closeByEscape)
    document.addEventListener('visibilitychange', followVisibility)
    return () => {
      document.removeEventListener('keydown', closeByEscape)
      document.removeEventListener('visibilitychange', followVisibility)
    }
  }, [notifications])
  return (
    <Track id={NOTIFICATIONS_ID} aria-live="polite">
      <AnimatePresence>{shown && <NotificationCard {...shown} key={shown.key} />}</AnimatePresence>
    </Track>
  )
}
