import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isListed, NOTIFICATIONS, type SubscribeFormState, validateSubscription } from '../../domain/subscription.ts'
import { useServices } from '../services.tsx'
import { useInvalidField } from '../use-invalid-field.ts'

export function useSubscribeForm() {
  const { backend, domainToAscii, notifications } = useServices()
  const [state, setState] = useState<SubscribeFormState>({ status: 'idle' })
  const { reject } = useInvalidField()
  const input = useRef<HTMLInputElement>(null)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const field = input.current
    if (!field || state.status === 'sending') return
    // After thanks the field is empty: a second press is no error of the visitor.
    if (field.value === '' && state.status === 'answered' && isListed(state.answer)) return field.focus()
    const { email, error } = validateSubscription(field.value, domainToAscii)
    if (error !== null) {
      reject(field, error, () => setState({ status: 'invalid', error }))
      return notifications.show(NOTIFICATIONS['invalid-email'])
    }
    notifications.close()
    setState({ status: 'sending' })
    const answer = await backend.subscribe(email)
    if (isListed(answer)) field.value = ''
    const notification = NOTIFICATIONS[answer]
    // Both are drawn at once: one layout in place of two.
    flushSync(() => {
      setState({ status: 'answered', email, answer })
      if (notification) notifications.show(notification)
    })
  }

  return { state, input, submit }
}
