import { type FormEvent, useEffect, useReducer, useRef, useState } from 'react'
import type { Cancel } from '../../domain/ports.ts'
import {
  clearsInput,
  IDLE,
  NOTIFICATIONS,
  notificationOf,
  subscribeForm,
  validateSubscription,
} from '../../domain/subscription.ts'
import { useServices } from '../services-context.ts'

export function useSubscribeForm() {
  const { backend, domainToAscii, notifications } = useServices()
  const [state, dispatch] = useReducer(subscribeForm, IDLE)
  const input = useRef<HTMLInputElement>(null)
  const [isDescribed, setIsDescribed] = useState(true)
  const closeNotification = useRef<Cancel>(null)

  useEffect(() => notifications.onAttempt(() => dispatch({ type: 'attempted' })), [notifications])

  return {
    state,
    input,
    /** False from an error, or its correction, until the field is left: meanwhile screen readers would read a change. */
    isDescribed,
    async submit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      const field = input.current
      if (!field || state.status === 'submitting') return
      const typed = field.value
      // A second press after a success is no error of the visitor.
      if (typed === '' && 'cleared' in state && state.cleared) return field.focus()
      const { email, error } = validateSubscription(typed, domainToAscii)
      if (error !== null) {
        setIsDescribed(false)
        dispatch({ type: 'rejected', error })
        closeNotification.current = notifications.show(NOTIFICATIONS['invalid-email'])
        return field.focus()
      }
      notifications.beginAttempt()
      dispatch({ type: 'sent', email })
      const answer = await backend.subscribe(email)
      // A text that was typed during the call stays.
      const changed = field.value !== typed
      if (clearsInput(answer) && !changed) field.value = ''
      dispatch({ type: 'answered', answer, changed })
      const notification = notificationOf(answer)
      if (notification) closeNotification.current = notifications.show(notification)
    },
    changed() {
      if (state.status === 'rejected') setIsDescribed(false)
      dispatch({ type: 'changed' })
      // It is about the text before the change.
      closeNotification.current?.()
    },
    left: () => setIsDescribed(true),
  }
}
