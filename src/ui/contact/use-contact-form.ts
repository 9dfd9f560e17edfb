import { type FormEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type ContactFormState, ENQUIRY_NOTIFICATIONS, IDLE } from '../../domain/contact-form.ts'
import { validateEnquiry } from '../../domain/enquiry.ts'
import { type FieldName, mapFields } from '../../domain/enquiry-fields.ts'
import { FIELD_ID_PREFIX } from '../../element-names.ts'
import { useServices } from '../services.tsx'
import { useInvalidField } from '../use-invalid-field.ts'

/** The id of a field, or of the element around the inputs of a choice. */
export const fieldId = (name: FieldName) => FIELD_ID_PREFIX + name

export function useContactForm() {
  const { backend, contactDialog, domainToAscii, notifications } = useServices()
  const [state, setState] = useState<ContactFormState>(IDLE)
  const { announcement, reject } = useInvalidField()
  const form = useRef<HTMLFormElement>(null)
  const controlOf = (name: FieldName) =>
    form.current?.querySelector<HTMLElement>(`[name=${name}][id^=${FIELD_ID_PREFIX}]`)

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

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // It goes on with this submit, because a browser ignores another one that begins meanwhile.
    if (state.status === 'answered' && isEnterInField()) openAgain()
    else if (state.status !== 'idle') return
    const data = new FormData(event.currentTarget)
    // Extensions may add empty fields of the same name.
    const typed = mapFields((name) => `${data.getAll(name).find(Boolean) ?? ''}`)
    const { enquiry, error } = validateEnquiry(typed, domainToAscii)
    if (error) {
      // A form that waited for the app may be submitted after the dialog was closed.
      if (!contactDialog.current()) return notifications.show(ENQUIRY_NOTIFICATIONS.failed)
      return reject(controlOf(error.field), error.text, () => setState({ status: 'idle', error }))
    }
    notifications.close()
    setState({ status: 'sending' })
    const answer = await backend.sendEnquiry(enquiry)
    setState({ status: 'answered', answer })
    if (!contactDialog.current()) notifications.show(ENQUIRY_NOTIFICATIONS[answer])
  }

  /** A press of Submit moves the focus there. After a success the fields are read-only, and Enter does nothing. */
  function isEnterInField() {
    const { activeElement } = document
    return activeElement instanceof HTMLInputElement && !activeElement.readOnly
  }

  /** Closes the dialog and opens it again with its text and the focus at Submit. */
  function openAgain() {
    contactDialog.set(false)
    contactDialog.set(true)
    form.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }

  function tryAgain() {
    openAgain()
    form.current?.requestSubmit()
  }

  return { state, announcement, form, submit, tryAgain }
}
