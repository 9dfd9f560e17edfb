import { type FormEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type ContactFormState, ENQUIRY_NOTIFICATIONS, IDLE } from '../../domain/contact-form.ts'
import { type EnquiryField, mapFields, type ValidationError, validateEnquiry } from '../../domain/enquiry.ts'
import { useServices } from '../services.tsx'

/** The id of a field. Extensions may add fields of the same name. */
export const fieldId = (name: EnquiryField) => `contact-${name}`

export function useContactForm() {
  const { backend, contactDialog, domainToAscii, notifications } = useServices()
  const [state, setState] = useState<ContactFormState>(IDLE)
  const [announcement, setAnnouncement] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const fieldOf = (name: EnquiryField) =>
    form.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>(`#${fieldId(name)}`)

  // Each opening allows one submit. After a success it begins with an empty form.
  useEffect(
    () =>
      contactDialog.onChange((open) => {
        if (!open || state.status !== 'answered') return
        if (state.answer === 'received') form.current?.reset()
        // Rendered at once, before the first field gets the focus, and before 'Try again' submits.
        flushSync(() => setState(IDLE))
      }),
    [contactDialog, state],
  )

  function reject(error: ValidationError) {
    // A press that waited for the app may arrive after the dialog was closed.
    if (!contactDialog.current()) return notifications.show(ENQUIRY_NOTIFICATIONS.failed)
    const field = fieldOf(error.field)
    // Screen readers read the error with a field that gets the focus. If the field has the focus already, the error is
    // announced; the same text again would count as no change.
    const announce = (last: string) => (last === error.text ? `${error.text}\u00A0` : error.text)
    setAnnouncement(field === document.activeElement ? announce : '')
    flushSync(() => setState({ status: 'idle', error }))
    field?.focus()
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (state.status !== 'idle') return
    const { enquiry, error } = validateEnquiry(
      mapFields((name) => fieldOf(name)?.value ?? ''),
      domainToAscii,
    )
    if (error) return reject(error)
    notifications.close()
    setAnnouncement('')
    setState({ status: 'sending' })
    const answer = await backend.sendEnquiry(enquiry)
    setState({ status: 'answered', answer })
    if (!contactDialog.current()) notifications.show(ENQUIRY_NOTIFICATIONS[answer])
  }

  /** Closes the dialog, opens it again with its text, and submits that, with the focus at Submit. */
  function tryAgain() {
    contactDialog.set(false)
    contactDialog.set(true)
    form.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
    form.current?.requestSubmit()
  }

  return { state, announcement, form, submit, tryAgain }
}
