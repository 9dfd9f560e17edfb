import { chakra } from '@chakra-ui/react'
import { AnimatePresence } from 'framer-motion'
import { useEffect } from 'react'
import { NOTIFICATIONS_ID } from '../../element-names.ts'
import { useObservable, useServices } from '../services.ts'
import { NotificationCard } from './notification-card.tsx'

/**
 * The way of the notification down the page. It begins where it stands in the page, which is below the header's line, and
 * there is no place above: when the page scrolls, the notification follows it up to the edge of the screen.
 */
const Track = chakra('div', {
  base: {
    position: 'absolute',
    // It ends where 'Contact us' ends.
    insetInline: 'gutter',
    zIndex: 20,
    display: 'grid',
    h: 'full',
    alignItems: 'start',
    justifyItems: 'end',
    pointerEvents: 'none',
    // A notification that fades out lies under the notification that replaces it.
    '& > *': { gridArea: '1 / 1' },
  },
})

/** The place of the notification, always a live region: browsers announce no region that appears with its text. */
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
