import { type ChangeEvent, type FormEvent, type MouseEvent, useEffect, useReducer } from 'react'
import { flushSync } from 'react-dom'
import { contactForm, ENQUIRY_NOTIFICATIONS, IDLE } from '../../domain/contact-form.ts'
import { ENQUIRY_FIELDS, type EnquiryField, mapFields, validateEnquiry } from '../../domain/enquiry.ts'
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

  return {
    state,
    async submit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      if (state.status !== 'idle') return
      const typed = mapFields(typedInto)
      const { enquiry, error } = validateEnquiry(typed, domainToAscii)
      if (!error) {
        dispatch({ type: 'sent' })
        notifications.beginAttempt()
        const answer = await backend.sendEnquiry(enquiry)
        dispatch({ type: 'answered', answer })
        if (!contactDialog.current()) notifications.show(ENQUIRY_NOTIFICATIONS[answer])
        return
      }
      // A held press may arrive after the dialog was closed.
      if (!contactDialog.current()) return notifications.show(ENQUIRY_NOTIFICATIONS.failed)
      const control = controlOf(error.field)
      const wasFocused = control === document.activeElement
      // Rendered before the focus arrives, because screen readers read the error with the field.
      flushSync(() => dispatch({ type: 'rejected', error, wasFocused }))
      control?.focus()
    },
    /** Closes the dialog and opens it again, with its text and the focus at Submit, so that the visitor can send again. */
    tryAgain({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) {
      contactDialog.set(false)
      contactDialog.set(true)
      form?.querySelector<HTMLElement>('[type=submit]')?.focus()
    },
    changed({ target }: ChangeEvent<HTMLFormElement>) {
      const field = ENQUIRY_FIELDS.find((name) => name === target.name)
      if (field) dispatch({ type: 'changed', field })
    },
  }
}

/** The control of a field, by its id: extensions add others of its name. */
const controlOf = (name: EnquiryField) =>
  document.querySelector<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(`#contact-${name}`)

/** The text that a visitor has typed into a field, or the value of what is chosen or ticked; '' if there is none. */
function typedInto(name: EnquiryField): string {
  const control = controlOf(name)
  const isUnticked = control?.type === 'checkbox' && control instanceof HTMLInputElement && !control.checked
  return isUnticked ? '' : (control?.value ?? '')
}
