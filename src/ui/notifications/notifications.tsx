import { AnimatePresence } from 'framer-motion'
import { useSyncExternalStore } from 'react'
import { useServices } from '../services-context.ts'
import { NotificationCard } from './notification-card.tsx'

/** The one notification slot. */
export function Notifications() {
  const { notifications } = useServices()
  const active = useSyncExternalStore(notifications.onChange, notifications.current, () => null)
  return (
    <AnimatePresence>
      {active && <NotificationCard key={active.key} notification={active.notification} paused={active.paused} />}
    </AnimatePresence>
  )
}
