import { showFieldError, showFormStatus } from '../adapters/form-status.ts'
import type { Cancel, SubscribeAnswer } from '../domain/ports.ts'
import { CLEARS_INPUT, NOTIFICATIONS } from '../domain/subscription.ts'
import { VALIDATION_TEXT } from '../domain/texts.ts'

export function emailInput(form = document.forms.namedItem('subscribe')): HTMLInputElement | null {
  const input = form?.elements.namedItem('email')
  return input instanceof HTMLInputElement ? input : null
}

/** Tells at the field that its address is invalid, until it is edited or the returned function is called. */
export function refuseEmail(form: HTMLFormElement, onEdit: () => void): Cancel {
  const input = emailInput(form)
  const typed = input?.value
  const edited = new AbortController()
  const onInput = () => input?.value !== typed && onEdit()
  form.addEventListener('input', onInput, { signal: edited.signal })
  showFieldError(input, VALIDATION_TEXT.invalidEmail)
  input?.focus()
  return () => {
    edited.abort()
    showFieldError(input, '')
  }
}

/** In the words of its notification. */
export function tellSubscription(outcome: SubscribeAnswer): void {
  const input = emailInput()
  if (input && CLEARS_INPUT[outcome]) input.value = ''
  const notification = NOTIFICATIONS[outcome]
  showFormStatus('subscribe', notification ? `${notification.summary} ${notification.detail}` : '')
}
