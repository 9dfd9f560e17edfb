import { type ChangeEvent, type FormEvent, type MouseEvent, useEffect, useReducer } from 'react'
import { flushSync } from 'react-dom'
import { contactForm, ENQUIRY_NOTIFICATIONS, IDLE } from '../../domain/contact-form.ts'
import {
  ENQUIRY_FIELDS,
  type EnquiryField,
  mapFields,
  type ValidationError,
  validateEnquiry,
} from '../../domain/enquiry.ts'
import { SUBMIT } from '../../page-marks.ts'
import { useServices } from '../services-context.ts'

export function useContactForm() {
  const { backend, contactDialog, domainToAscii, notifications } = useServices()
  const [state, dispatch] = useReducer(contactForm, IDLE)

  useEffect(
    () =>
      contactDialog.onChange((open) => {
        // Rendered at once, so that the focus goes to a field of the new form.
        if (open) flushSync(() => dispatch({ type: 'reset' }))
      }),
    [contactDialog],
  )

  function reject(error: ValidationError) {
    // A held press may arrive after the dialog was closed.
    if (!contactDialog.current()) return void notifications.show(ENQUIRY_NOTIFICATIONS.failed)
    const control = controlOf(error.field)
    const wasFocused = control === document.activeElement
    // Rendered before the focus arrives, because screen readers read the error with the field.
    flushSync(() => dispatch({ type: 'rejected', error, wasFocused }))
    control?.focus()
  }

  return {
    state,
    async submit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      if (state.status !== 'idle') return
      const typed = mapFields((field) => controlOf(field)?.value ?? '')
      const { enquiry, error } = validateEnquiry(typed, domainToAscii)
      if (error) return reject(error)
      notifications.beginAttempt()
      dispatch({ type: 'sent' })
      const answer = await backend.sendEnquiry(enquiry)
      dispatch({ type: 'answered', answer })
      if (!contactDialog.current()) notifications.show(ENQUIRY_NOTIFICATIONS[answer])
    },
    /** Closes the dialog, opens it again with its text, and submits that, with the focus at Submit. */
    tryAgain({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) {
      contactDialog.set(false)
      contactDialog.set(true)
      form?.querySelector<HTMLElement>(SUBMIT)?.focus()
      form?.requestSubmit()
    },
    changed({ target }: ChangeEvent<HTMLFormElement>) {
      const field = ENQUIRY_FIELDS.find((name) => name === target.name)
      if (field) dispatch({ type: 'changed', field })
    },
  }
}

/** The control of a field, by its id: extensions add others of its name. */
const controlOf = (name: EnquiryField) =>
  document.querySelector<HTMLInputElement | HTMLTextAreaElement>(`#contact-${name}`)
