import { type ChangeEvent, type FormEvent, useReducer, useRef } from 'react'
import { contactForm, IDLE } from '../domain/contact-form.ts'
import { ENQUIRY_FIELDS, type EnquiryField, mapFields, type TypedEnquiry, validateEnquiry } from '../domain/enquiry.ts'
import { usePorts } from './ports-context.ts'
import { useOneAtATime } from './use-one-at-a-time.ts'

export type ContactFormHandle = ReturnType<typeof useContactForm>

/** The fields are uncontrolled and stay mounted with the dialog, so what is typed outlives a close. */
export function useContactForm() {
  const { backend } = usePorts()
  const [state, dispatch] = useReducer(contactForm, IDLE)
  const { run } = useOneAtATime()
  const form = useRef<HTMLFormElement>(null)
  const result = useRef<HTMLDivElement>(null)

  return {
    state,
    form,
    /** Takes the focus of the button that a submit disables. */
    result,
    async submit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      if (state.status !== 'idle') return
      const { enquiry, error } = validateEnquiry(readForm(event.currentTarget))
      if (error) {
        dispatch({ type: 'rejected', error })
        controlFor(event.currentTarget, error.field)?.focus()
        return
      }
      await run(async () => {
        dispatch({ type: 'sent' })
        result.current?.focus()
        dispatch({ type: 'answered', answer: await backend.sendEnquiry(enquiry) })
      })
    },
    changed({ target }: ChangeEvent<HTMLFormElement>) {
      const field = ENQUIRY_FIELDS.find((name) => name === target.name)
      if (field) dispatch({ type: 'changed', field })
    },
    /** Ready for the next opening: without the last one's end and, after a success, without its text. */
    reset() {
      if (state.status === 'submitted' && state.answer === 'received') form.current?.reset()
      dispatch({ type: 'reset' })
    },
  }
}

function readForm(form: HTMLFormElement): TypedEnquiry {
  const data = new FormData(form)
  return mapFields((name) => String(data.get(name) ?? ''))
}

function controlFor(form: HTMLFormElement, name: EnquiryField): HTMLElement | null {
  const control = form.elements.namedItem(name)
  return control instanceof HTMLElement ? control : null
}
