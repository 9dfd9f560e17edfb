import type { NotificationCenter } from '../domain/notification.ts'
import { CLEARS_INPUT, NOTIFICATIONS, type SubscriptionOutcome } from '../domain/subscription.ts'

/** Tells the outcome of what was typed, and leaves the input as that outcome wants it. */
export function tell(
  outcome: SubscriptionOutcome,
  typed: string,
  input: HTMLInputElement,
  notifications: NotificationCenter,
): void {
  const notification = NOTIFICATIONS[outcome]
  if (notification) notifications.show(notification)
  if (CLEARS_INPUT[outcome] && input.value === typed) input.value = ''
  if (outcome === 'invalid-email') input.focus()
}
