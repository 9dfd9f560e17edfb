import type { NotificationCenter } from '../domain/notification.ts'
import { CLEARS_INPUT, NOTIFICATIONS, type SubscriptionOutcome } from '../domain/subscription.ts'

/** Tells the outcome of what was typed, and leaves the input as that outcome wants it. */
export function showOutcome(
  outcome: SubscriptionOutcome,
  typed: string,
  input: HTMLInputElement,
  notifications: NotificationCenter,
): void {
  const notification = NOTIFICATIONS[outcome]
  if (notification) notifications.show(notification)
  if (CLEARS_INPUT[outcome] && input.value === typed) input.value = ''
  if (outcome !== 'invalid-email') return
  input.focus()
  setInvalid(input, true)
  input.addEventListener('input', () => setInvalid(input, false), { once: true })
}

/** Outside of React, for the boot script does it too. The sentence stands under the field all the time, unseen. */
function setInvalid(input: HTMLInputElement, invalid: boolean) {
  input.ariaInvalid = String(invalid)
  if (invalid) input.setAttribute('aria-describedby', `${input.id}-note`)
  else input.removeAttribute('aria-describedby')
}
