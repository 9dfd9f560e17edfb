import { AnimatePresence } from 'framer-motion'
import { useEffect, useSyncExternalStore } from 'react'
import { useServices } from '../services-context.ts'
import { NotificationCard } from './notification-card.tsx'

/** The one notification slot. */
export function Notifications() {
  const { notifications } = useServices()
  const active = useSyncExternalStore(notifications.onChange, notifications.current, () => null)
  useEffect(() => {
    const followVisibility = () =>
      document.hidden ? notifications.pause('hidden page') : notifications.resume('hidden page')
    followVisibility()
    document.addEventListener('visibilitychange', followVisibility)
    return () => document.removeEventListener('visibilitychange', followVisibility)
  }, [notifications])
  return (
    <AnimatePresence>
      {active && <NotificationCard key={active.key} notification={active.notification} paused={active.paused} />}
    </AnimatePresence>
  )
}
