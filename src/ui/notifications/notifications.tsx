import { AnimatePresence } from 'framer-motion'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { NOTIFICATIONS_ID, SEVERITY } from '../../page-marks.ts'
import { useServices } from '../services-context.ts'
import { NotificationCard } from './notification-card.tsx'

/** The one notification slot. */
export function Notifications() {
  const { contactDialog, notifications } = useServices()
  const active = useSyncExternalStore(notifications.onChange, notifications.current, () => null)
  useEffect(() => {
    const followVisibility = () =>
      document.hidden ? notifications.pause('hidden page') : notifications.resume('hidden page')
    followVisibility()
    document.addEventListener('visibilitychange', followVisibility)
    return () => document.removeEventListener('visibilitychange', followVisibility)
  }, [notifications])
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const follow = (open: boolean) =>
      region.current && moveTo(open ? document.querySelector('dialog') : null, region.current)
    follow(contactDialog.current())
    return contactDialog.onChange(follow)
  }, [contactDialog])
  useEffect(() => {
    // An extension may have removed the element.
    if (active && region.current?.isConnected === false) moveTo(document.querySelector('dialog[open]'), region.current)
  }, [active])
  const key = active?.key
  // biome-ignore lint/correctness/useExhaustiveDependencies: another notification may have another height.
  useEffect(() => {
    const frame = requestAnimationFrame(() => region.current && keepFocusVisible(region.current))
    return () => cancelAnimationFrame(frame)
  }, [key])
  const urgency = active?.notification.severity === 'error' ? 'assertive' : 'polite'
  return (
    <div ref={region} id={NOTIFICATIONS_ID}>
      {(['polite', 'assertive'] as const).map((each) => (
        // A live region is in the page from the start: browsers announce no region that appears with its text.
        <div key={each} aria-live={each}>
          <AnimatePresence>
            {active && each === urgency && (
              <NotificationCard key={active.key} notification={active.notification} paused={active.paused} />
            )}
          </AnimatePresence>
        </div>
      ))}
    </div>
  )
}

/** Scrolls an element that has or gets the focus out from under the open notification (WCAG 2.4.11). */
function keepFocusVisible(region: HTMLElement) {
  const card = region.querySelector<HTMLElement>(`[${SEVERITY}]:not([inert])`)
  document.documentElement.style.scrollPaddingTop = card ? `${card.offsetTop + card.offsetHeight + 8}px` : ''
  if (document.activeElement !== document.body) document.activeElement?.scrollIntoView({ block: 'nearest' })
}

/**
 * Moves the notifications into the open dialog, outside which nothing can be heard or pressed, or back to the end of the
 * body. If the browser can, it keeps their animations and the focus.
 */
function moveTo(dialog: Element | null, region: HTMLElement) {
  const parent = dialog ?? document.body
  const nextSibling = dialog?.firstChild ?? null
  if (region.isConnected && 'moveBefore' in parent) parent.moveBefore(region, nextSibling)
  else parent.insertBefore(region, nextSibling)
}
